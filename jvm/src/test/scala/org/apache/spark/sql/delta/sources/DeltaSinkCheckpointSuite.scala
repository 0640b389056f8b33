// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files
import java.util.concurrent.{ConcurrentLinkedQueue, CountDownLatch, TimeUnit}

import scala.jdk.CollectionConverters._

import org.apache.spark.scheduler.{SparkListener, SparkListenerStageSubmitted}
import org.apache.spark.sql.execution.streaming.OneTimeTrigger
import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper
import org.apache.spark.sql.streaming.{StreamingQuery, Trigger}

import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.testing.{FaultyFileSystem, SinkFixture, TestTable}
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

/** Checkpoints and checksum files of the target, written in the background. */
class DeltaSinkCheckpointSuite extends AnyFunSuite with SinkFixture with Eventually {

  private def createTable(checkpointInterval: Int): TestTable =
    TestTable().create(clause = s"TBLPROPERTIES ('delta.checkpointInterval'='$checkpointInterval')")

  private def checkpoints(table: TestTable): Seq[Long] = {
    val names = Files.list(table.commitFile(0).getParent).iterator.asScala.map(_.getFileName.toString)
    names.filter(_.matches("\\d{20}\\.checkpoint.*parquet")).map(_.take(20).toLong).toSeq.sorted
  }

  private def hasChecksum(table: TestTable, version: Long): Boolean =
    Files.exists(table.commitFile(0).resolveSibling(checksumOf(version)))

  private def checksumOf(version: Long): String = f"$version%020d.crc"

  private def batches(
      table: TestTable,
      rows: Rows,
      count: Int,
      trigger: Trigger = Trigger.AvailableNow): Unit =
    for (_ <- 1 to count) {
      rows.add(1)
      write(rows.frame, table, trigger)()
    }

  for (trigger <- Seq(Trigger.AvailableNow, OneTimeTrigger))
    test(s"the checkpoint is complete when a run with $trigger ends") {
      val table = createTable(checkpointInterval = 2)
      batches(table, new Rows, 4, trigger)
      assert(checkpoints(table) == Seq(2, 4))
    }

  test("a checkpoint builds its own copy of the state, not the log's, and leaves nothing persisted") {
    val table = createTable(checkpointInterval = 2)
    val kept = spark.sparkContext.getPersistentRDDs.keySet
    batches(table, new Rows, 2)
    val newest = table.log.unsafeVolatileSnapshot
    assert(checkpoints(table) == Seq(2) && newest.version == 2)
    assert(!newest.stateReconstructionTriggered)
    assert(spark.sparkContext.getPersistentRDDs.keySet.forall(kept))
  }

  test("a lost checkpoint is written again after the next commit only") {
    val table = createTable(checkpointInterval = 4)
    val rows = new Rows
    batches(table, rows, 4)
    assert(checkpoints(table) == Seq(4))
    for (name <- Seq("_last_checkpoint", f"${4L}%020d.checkpoint.parquet"))
      Files.delete(table.commitFile(0).resolveSibling(name))
    DeltaLog.clearCache()
    batches(table, rows, 3)
    assert(checkpoints(table) == Seq(5))
  }

  test("the checkpoint of a small table takes few tasks, so that batches need not wait for them") {
    val table = createTable(checkpointInterval = 2)
    val tasks = new ConcurrentLinkedQueue[Int]
    val listener = new SparkListener {
      override def onStageSubmitted(stage: SparkListenerStageSubmitted): Unit =
        if (Option(
            stage.properties.getProperty("spark.job.description")).exists(_.startsWith("checkpoint"))) {
          val _ = tasks.add(stage.stageInfo.numTasks)
        }
    }
    val partitions = "spark.databricks.delta.snapshotPartitions"
    val before = spark.conf.get(partitions)
    spark.conf.unset(partitions)
    spark.sparkContext.addSparkListener(listener)
    try batches(table, new Rows, 2)
    finally {
      spark.sparkContext.listenerBus.waitUntilEmpty()
      spark.sparkContext.removeSparkListener(listener)
      spark.conf.set(partitions, before)
    }
    assert(checkpoints(table) == Seq(2))
    assert(tasks.size > 0 && tasks.asScala.forall(_ < 10), tasks)
  }

  test("batches continue while a checkpoint is written, and no second one is started") {
    val table = createTable(checkpointInterval = 2)
    val rows = new Rows
    val (reached, gate) = (new CountDownLatch(1), new CountDownLatch(1))
    withConf(FaultyFileSystem.confs: _*) {
      FaultyFileSystem.waiting(FaultyFileSystem.InClose, ".checkpoint.", reached, gate) {
        val query = start(rows.frame, table)()
        try
          for (version <- 1 to 5) {
            rows.add(1)
            query.processAllAvailable()
            if (version == 2) assert(reached.await(30, TimeUnit.SECONDS))
            assert(table.version == version && checkpoints(table).isEmpty)
          }
        finally {
          gate.countDown()
          query.stop()
        }
      }
    }
    batches(table, rows, 1)
    assert(checkpoints(table).contains(6L) && !checkpoints(table).contains(4L))
  }

  /** Whether batch 0 is in the commit log and the query waits for the sink at the end of the batch. */
  private def isEndingBatch(query: StreamingQuery): Boolean = query match {
    case wrapper: StreamingQueryWrapper =>
      val stack = wrapper.streamingQuery.queryExecutionThread.getStackTrace
      stack.exists(frame =>
        frame.getClassName.endsWith(".AsyncPostCommitHooks") && frame.getMethodName == "afterBatch") &&
      wrapper.streamingQuery.commitLog.getLatestBatchId().contains(0L)
    case _ => false
  }

  test(
    "a batch is in the commit log before its checksum file is written, and done only after that") {
    val table = TestTable().create()
    val rows = new Rows
    val (reached, gate) = (new CountDownLatch(1), new CountDownLatch(1))
    withConf(FaultyFileSystem.confs: _*) {
      FaultyFileSystem.waiting(FaultyFileSystem.BeforeRename, checksumOf(1), reached, gate) {
        val query = start(rows.frame, table)()
        try {
          rows.add(1)
          assert(reached.await(30, TimeUnit.SECONDS))
          eventually(timeout(30.seconds), interval(1.millis))(assert(isEndingBatch(query)))
          assert(!hasChecksum(table, 1))
          gate.countDown()
          query.processAllAvailable()
          assert(hasChecksum(table, 1))
        } finally {
          gate.countDown()
          query.stop()
        }
      }
    }
  }

  test("with asyncPostCommitHooks off, checkpoint and checksum file are written within the batch") {
    val table = createTable(checkpointInterval = 2)
    val rows = new Rows
    withConf("spark.deltasource.sink.asyncPostCommitHooks" -> "false") {
      rows.add(1)
      val query = start(rows.frame, table)()
      try {
        query.processAllAvailable()
        rows.add(1)
        query.processAllAvailable()
        assert(checkpoints(table) == Seq(2) && hasChecksum(table, 2))
      } finally query.stop()
    }
  }
}
