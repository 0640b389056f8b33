// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.Properties
import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.{CompletableFuture, ExecutionException, Executor}

import org.apache.spark.sql.classic.SparkSession

/** Work on versions of a target, one piece at a time, beside the batches of a query and in none of its jobs. */
private[sink] class Aside(what: String, threads: => Executor) {
  import Aside._

  private val last = new AtomicReference(Begun(version = 0, CompletableFuture.allOf()))

  /** Whether a piece may be begun: the last is done. One that failed is told of first. */
  def isFree: Boolean = {
    val done = last.get.done
    done.isDone && !done.isCompletedExceptionally
  }

  /** Of the last piece that was begun, 0 for none. */
  def lastVersion: Long = last.get.version

  /** Begins one, where that is free, with this session as the active one. */
  def begin(spark: SparkSession, version: Long)(work: => Unit): Unit = {
    require(isFree, s"one $what at a time")
    val running: Runnable = () => alone(spark, s"$what of version $version")(work)
    last.set(Begun(version, CompletableFuture.runAsync(running, threads)))
  }

  /** Waits for the one that is begun, and fails as it has failed. */
  def finish(): Unit =
    try {
      val _ = last.get.done.get()
    } catch { case e: ExecutionException => throw e.getCause }

  /** Fails as the last one has, if that is over. */
  def check(): Unit = if (last.get.done.isDone) finish()
}

private object Aside {

  private final case class Begun(version: Long, done: CompletableFuture[Void])

  /** Not in the query's group of jobs, which is cancelled when the query stops, nor in its execution. */
  private def alone(spark: SparkSession, description: String)(work: => Unit): Unit = {
    val context = spark.sparkContext
    context.setLocalProperties(new Properties)
    context.setJobDescription(description)
    spark.withActive(work)
  }
}
