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

/** Checkpoints and checksum files of the target beside what the query does next. */
class DeltaSinkCheckpointSuite extends AnyFunSuite with SinkFixture with Eventually {

  private def eachOther(): TestTable =
    TestTable().create(clause = "TBLPROPERTIES ('delta.checkpointInterval'='2')")

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
    test(s"is there when a run with $trigger ends") {
      val table = eachOther()
      batches(table, new Rows, 4, trigger)
      assert(checkpoints(table) == Seq(2, 4))
    }

  test("builds a state of its own, for which no commit waits, and keeps none") {
    val table = eachOther()
    val kept = spark.sparkContext.getPersistentRDDs.keySet
    batches(table, new Rows, 2)
    val newest = table.log.unsafeVolatileSnapshot
    assert(checkpoints(table) == Seq(2) && newest.version == 2)
    assert(!newest.stateReconstructionTriggered)
    assert(spark.sparkContext.getPersistentRDDs.keySet.forall(kept))
  }

  test("one that was lost is made up for, and not made each time") {
    val table = TestTable().create(clause = "TBLPROPERTIES ('delta.checkpointInterval'='4')")
    val rows = new Rows
    batches(table, rows, 4)
    assert(checkpoints(table) == Seq(4))
    for (name <- Seq("_last_checkpoint", f"${4L}%020d.checkpoint.parquet"))
      Files.delete(table.commitFile(0).resolveSibling(name))
    DeltaLog.clearCache()
    batches(table, rows, 3)
    assert(checkpoints(table) == Seq(5))
  }

  test("the one of a small table takes few tasks, so that batches need not wait for them") {
    val table = eachOther()
    val tasks = new ConcurrentLinkedQueue[Int]
    val listener = new SparkListener {
      override def onStageSubmitted(stage: SparkListenerStageSubmitted): Unit =
        if (Option(
            stage.properties.getProperty("spark.job.description")).exists(_.startsWith("checkpoint"))) {
          val _ = tasks.add(stage.stageInfo.numTasks)
        }
    }
    val partitions = "spark.databricks.delta.snapshotPartitions"
    val said = spark.conf.get(partitions)
    spark.conf.unset(partitions)
    spark.sparkContext.addSparkListener(listener)
    try batches(table, new Rows, 2)
    finally {
      spark.sparkContext.listenerBus.waitUntilEmpty()
      spark.sparkContext.removeSparkListener(listener)
      spark.conf.set(partitions, said)
    }
    assert(checkpoints(table) == Seq(2))
    assert(tasks.size > 0 && tasks.asScala.forall(_ < 10), tasks)
  }

  test("batches go on while one is being written, and none is begun beside it") {
    val table = eachOther()
    val rows = new Rows
    val (there, gate) = (new CountDownLatch(1), new CountDownLatch(1))
    withConf(FaultyFileSystem.confs: _*) {
      FaultyFileSystem.waiting(FaultyFileSystem.InClose, ".checkpoint.", there, gate) {
        val query = start(rows.frame, table)()
        try
          for (version <- 1 to 5) {
            rows.add(1)
            query.processAllAvailable()
            if (version == 2) assert(there.await(30, TimeUnit.SECONDS))
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

  /** Whether the engine waits for the sink where a batch ends, and has noted the batch. */
  private def endsBatch(query: StreamingQuery): Boolean = query match {
    case wrapper: StreamingQueryWrapper =>
      val stack = wrapper.streamingQuery.queryExecutionThread.getStackTrace
      stack.exists(frame =>
        frame.getClassName.endsWith(".AsyncPostCommitHooks") && frame.getMethodName == "afterBatch") &&
      wrapper.streamingQuery.commitLog.getLatestBatchId().contains(0L)
    case _ => false
  }

  test(
    "a batch is committed and noted before its checksum file is there, and who waited for the batch finds it") {
    val table = TestTable().create()
    val rows = new Rows
    val (there, gate) = (new CountDownLatch(1), new CountDownLatch(1))
    withConf(FaultyFileSystem.confs: _*) {
      FaultyFileSystem.waiting(FaultyFileSystem.BeforeRename, checksumOf(1), there, gate) {
        val query = start(rows.frame, table)()
        try {
          rows.add(1)
          assert(there.await(30, TimeUnit.SECONDS))
          eventually(timeout(30.seconds), interval(1.millis))(assert(endsBatch(query)))
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

  test("can be made part of the batch") {
    val table = eachOther()
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
