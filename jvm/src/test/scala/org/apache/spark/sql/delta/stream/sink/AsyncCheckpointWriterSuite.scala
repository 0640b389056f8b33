// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.io.IOException
import java.util.concurrent.CountDownLatch

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.sources.DeltaSQLConf
import org.apache.spark.sql.delta.testing.SharedSession
import org.scalatest.funsuite.AnyFunSuite

class AsyncCheckpointWriterSuite extends AnyFunSuite with SharedSession {

  private val small = AsyncCheckpointWriter.LogSize(checkpointBytes = 0, commitBytes = 1000)

  test("one checkpoint is written at a time, and await returns once it is written") {
    val _ = spark
    val checkpoints = new AsyncCheckpointWriter
    val gate = new CountDownLatch(1)
    assert(checkpoints.canStart && checkpoints.latestVersion == 0)
    checkpoints.write(10)(small)(gate.await())
    assert(!checkpoints.canStart && checkpoints.latestVersion == 10)
    checkpoints.throwIfFailed()
    gate.countDown()
    checkpoints.await()
    assert(checkpoints.canStart)
  }

  test("the next call throws the error of a failed checkpoint") {
    val _ = spark
    val checkpoints = new AsyncCheckpointWriter
    checkpoints.write(10)(small)(throw new IllegalStateException("full"))
    assert(intercept[IllegalStateException](checkpoints.await()).getMessage == "full")
    assertThrows[IllegalStateException](checkpoints.throwIfFailed())
  }

  test("jobs of a checkpoint are not in the query's job group, and the query's thread keeps its group") {
    val context = spark.sparkContext
    context.setJobGroup("query", "the query's")
    try {
      val checkpoints = new AsyncCheckpointWriter
      @volatile var seen = Option.empty[(String, String)]
      checkpoints.write(10)(small) {
        seen = Some((
          context.getLocalProperty("spark.jobGroup.id"),
          context.getLocalProperty("spark.job.description")))
      }
      checkpoints.await()
      assert(seen.contains((null, "checkpoint of version 10")))
      assert(context.getLocalProperty("spark.jobGroup.id") == "query")
    } finally context.clearJobGroup()
  }

  test("a fatal error is thrown too, and no other checkpoint starts before that") {
    val _ = spark
    val checkpoints = new AsyncCheckpointWriter
    checkpoints.write(10)(small)(throw new NoClassDefFoundError("Parquet"))
    assertThrows[NoClassDefFoundError](checkpoints.await())
    assert(!checkpoints.canStart)
    assertThrows[IllegalArgumentException](checkpoints.write(11)(small)(()))
    assertThrows[NoClassDefFoundError](checkpoints.throwIfFailed())
  }

  test("a checkpoint is written even if the size of the log cannot be read") {
    val _ = spark
    val checkpoints = new AsyncCheckpointWriter
    @volatile var written = false
    checkpoints.write(10)(throw new IOException("gone")) { written = true }
    checkpoints.await()
    assert(written && checkpoints.canStart)
  }

  test("a small table's state is rebuilt by few tasks, in a cloned session, unless a conf sets how many") {
    val partitions = DeltaSQLConf.DELTA_SNAPSHOT_PARTITIONS
    val conf = spark.sessionState.conf
    val configured = conf.getConf(partitions)
    val checkpoints = new AsyncCheckpointWriter
    def tasks(log: AsyncCheckpointWriter.LogSize): Option[Int] = {
      @volatile var seen = Seq.empty[Option[Int]]
      checkpoints.write(10)(log) {
        val own = SparkSession.active.sessionState.conf
        seen = Seq(own.getConf(partitions), own.getConf(SQLConf.LEAF_NODE_DEFAULT_PARALLELISM))
      }
      checkpoints.await()
      assert(seen.last.contains(log.tasks))
      seen.head
    }
    assert(configured.nonEmpty && tasks(small) == configured)
    conf.unsetConf(partitions)
    try {
      val mebibytes = Seq((0L, 0L), (0L, 63L), (0L, 64L), (8L, 0L), (7L, 8L), (100L, 0L), (2000L, 9L))
      val sizes = mebibytes.map { case (checkpoint, commits) =>
        AsyncCheckpointWriter.LogSize(checkpoint << 20, commits << 20)
      }
      assert(sizes.map(tasks) == Seq(1, 1, 2, 2, 2, 13, 50).map(Some(_)))
      assert(conf.getConf(partitions).isEmpty)
    } finally conf.setConf(partitions, configured)
  }
}
