// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.CountDownLatch

import org.apache.spark.sql.delta.testing.SharedSession
import org.scalatest.funsuite.AnyFunSuite

class CheckpointsSuite extends AnyFunSuite with SharedSession {

  test("one is written at a time, and what waits for it has it") {
    val _ = spark
    val checkpoints = new Checkpoints
    val gate = new CountDownLatch(1)
    assert(checkpoints.isFree && checkpoints.lastVersion == 0)
    checkpoints.write(10)(gate.await())
    assert(!checkpoints.isFree && checkpoints.lastVersion == 10)
    checkpoints.check()
    gate.countDown()
    checkpoints.finish()
    assert(checkpoints.isFree)
  }

  test("a failure is met by who asks next") {
    val _ = spark
    val checkpoints = new Checkpoints
    checkpoints.write(10)(throw new IllegalStateException("full"))
    assert(intercept[IllegalStateException](checkpoints.finish()).getMessage == "full")
    assertThrows[IllegalStateException](checkpoints.check())
  }

  test("its jobs are not of the query's group, and the query's thread keeps its own") {
    val context = spark.sparkContext
    context.setJobGroup("query", "the query's")
    try {
      val checkpoints = new Checkpoints
      @volatile var seen = Option.empty[(String, String)]
      checkpoints.write(10) {
        seen = Some((
          context.getLocalProperty("spark.jobGroup.id"),
          context.getLocalProperty("spark.job.description")))
      }
      checkpoints.finish()
      assert(seen.contains((null, "checkpoint of version 10")))
      assert(context.getLocalProperty("spark.jobGroup.id") == "query")
    } finally context.clearJobGroup()
  }
}
