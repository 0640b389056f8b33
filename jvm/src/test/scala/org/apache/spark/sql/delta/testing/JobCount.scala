// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}
import org.apache.spark.sql.SparkSession

/** Counts the Spark jobs that the body starts. */
object JobCount {
  def of(spark: SparkSession)(body: => Any): Int = {
    val jobs = new AtomicInteger
    val listener = new SparkListener {
      override def onJobStart(job: SparkListenerJobStart): Unit = {
        val _ = jobs.incrementAndGet()
      }
    }
    val bus = spark.sparkContext.listenerBus
    bus.waitUntilEmpty()
    spark.sparkContext.addSparkListener(listener)
    try {
      val _ = body
      bus.waitUntilEmpty()
    } finally spark.sparkContext.removeSparkListener(listener)
    jobs.get
  }
}
