// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.CountDownLatch

import org.apache.spark.sql.classic.SparkSession

import org.apache.spark.sql.delta.sources.DeltaSQLConf
import org.apache.spark.sql.delta.testing.SharedSession
import org.scalatest.funsuite.AnyFunSuite

class CheckpointsSuite extends AnyFunSuite with SharedSession {

  test("one is written at a time, and what waits for it has it") {
    val _ = spark
    val checkpoints = new Checkpoints
    val gate = new CountDownLatch(1)
    assert(checkpoints.isFree && checkpoints.lastVersion == 0)
    checkpoints.write(10, None)(gate.await())
    assert(!checkpoints.isFree && checkpoints.lastVersion == 10)
    checkpoints.check()
    gate.countDown()
    checkpoints.finish()
    assert(checkpoints.isFree)
  }

  test("a failure is met by who asks next") {
    val _ = spark
    val checkpoints = new Checkpoints
    checkpoints.write(10, None)(throw new IllegalStateException("full"))
    assert(intercept[IllegalStateException](checkpoints.finish()).getMessage == "full")
    assertThrows[IllegalStateException](checkpoints.check())
  }

  test("its jobs are not of the query's group, and the query's thread keeps its own") {
    val context = spark.sparkContext
    context.setJobGroup("query", "the query's")
    try {
      val checkpoints = new Checkpoints
      @volatile var seen = Option.empty[(String, String)]
      checkpoints.write(10, None) {
        seen = Some((
          context.getLocalProperty("spark.jobGroup.id"),
          context.getLocalProperty("spark.job.description")))
      }
      checkpoints.finish()
      assert(seen.contains((null, "checkpoint of version 10")))
      assert(context.getLocalProperty("spark.jobGroup.id") == "query")
    } finally context.clearJobGroup()
  }

  test("the state of a small table is rebuilt by few tasks, unless the user says how many, in a session of its own") {
    val partitions = DeltaSQLConf.DELTA_SNAPSHOT_PARTITIONS
    val conf = spark.sessionState.conf
    val said = conf.getConf(partitions)
    def tasks(files: Option[Long]): Option[Int] = {
      val checkpoints = new Checkpoints
      @volatile var seen = Option.empty[Int]
      checkpoints.write(10, files) { seen = SparkSession.active.sessionState.conf.getConf(partitions) }
      checkpoints.finish()
      seen
    }
    assert(said.nonEmpty && tasks(Some(10)) == said)
    conf.unsetConf(partitions)
    try {
      val files = Seq(None, Some(0L), Some(49999L), Some(50000L), Some(1000000L), Some(9000000L))
      assert(files.map(tasks) == Seq(None, Some(1), Some(1), Some(2), Some(21), Some(50)))
      assert(conf.getConf(partitions).isEmpty)
    } finally conf.setConf(partitions, said)
  }
}
