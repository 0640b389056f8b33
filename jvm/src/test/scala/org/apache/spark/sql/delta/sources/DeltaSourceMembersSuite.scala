// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.connector.read.streaming.{ReadLimit, ReadMaxFiles}
import org.apache.spark.sql.execution.streaming.runtime.{
  MicroBatchExecution,
  StreamingExecutionRelation,
  StreamingQueryWrapper
}

import org.apache.spark.sql.delta.actions.{Action, AddFile, CommitInfo}
import org.apache.spark.sql.delta.files.SnapshotIterator
import org.apache.spark.sql.delta.testing.LogCapture
import org.scalatest.funsuite.AnyFunSuite

/** The documented members of `DeltaSource`. */
class DeltaSourceMembersSuite extends AnyFunSuite with DeltaSourceFixture {
  test("S6: getChanges returns the snapshot and then commits, sentinels included, after the given place") {
    val t = table(Seq(1, 2))
    val source = sourceOf(t)
    val version = t.version
    t.append(Seq(3))
    def seen(from: Long, index: Long, inSnapshot: Boolean) =
      source.getChanges(from, index, inSnapshot).map(file =>
        (file.version, file.index, file.hasFileAction)).toSeq
    val end = DeltaSourceOffset.END_INDEX
    val tail = Seq((2L, -100L, false), (2L, 0L, true), (2L, end, false))
    assert(seen(
      version,
      -1,
      inSnapshot = true
    ) == Seq((1L, 0L, true), (1L, 1L, true), (1L, end, false)) ++ tail)
    assert(seen(version, 0, inSnapshot = true) == Seq((1L, 1L, true), (1L, end, false)) ++ tail)
    assert(seen(version, 1, inSnapshot = false) == Seq((1L, end, false)) ++ tail)
  }

  test("S6: getChangesWithRateLimit stops at the options' limit") {
    val source = sourceOf(table(Seq(1, 2), Seq(3)), "maxFilesPerTrigger" -> "2", "startingVersion" -> "0")
    val files = source.getChangesWithRateLimit(0, -1, isStartingVersion = false).filter(_.hasFileAction)
    assert(files.map(file => (file.version, file.index)).toSeq == Seq((1, 0), (1, 1)))
  }

  test("S7: filterAndIndexDeltaLogs numbers the files of commits between their sentinels") {
    val source = sourceOf(table(Seq(1, 2), Seq(3)))
    assert(source.filterAndIndexDeltaLogs(1).map(file => (file.version, file.index)).toSeq ==
      Seq(
        (1, -100),
        (1, 0),
        (1, 1),
        (1, DeltaSourceOffset.END_INDEX),
        (2, -100),
        (2, 0),
        (2, DeltaSourceOffset.END_INDEX)
      ))
  }

  test("S7: verifyStreamHygieneAndFilterAddFiles keeps added data and refuses what the stream refuses") {
    val source = sourceOf(table(Seq(1)))
    val add = AddFile("a", Map.empty, 1, 1, dataChange = true)
    val actions: Seq[Action] = Seq(CommitInfo.empty(), add, add.copy(path = "b", dataChange = false))
    assert(source.verifyStreamHygieneAndFilterAddFiles(actions, 5) == Seq(add))
    val error = intercept[UnsupportedOperationException](
      source.verifyStreamHygieneAndFilterAddFiles(Seq(add.remove), 5)
    )
    assert(error.getMessage.contains("DELTA_SOURCE_IGNORE_DELETE") && error.getMessage.contains("version 5"))
  }

  test("S7: iteratorLast is the last element") {
    val source = sourceOf(table(Seq(1)))
    assert(source.iteratorLast(Iterator(
      1,
      2,
      3
    )).contains(3) && source.iteratorLast(Iterator.empty[Int]).isEmpty)
  }

  test("S8: getOffset says what to call instead") {
    val error = intercept[UnsupportedOperationException](sourceOf(table(Seq(1))).getOffset)
    assert(error.getMessage == "latestOffset(Offset, ReadLimit) should be called instead of this method")
  }

  test("S9: the initial snapshot is replaced only by one of another version, and released by the cleanup") {
    val t = table(Seq(1), Seq(2))
    val source = sourceOf(t)
    assert(source.initialState == null)
    assert(source.getSnapshotAt(1).map(_.add.path).size == 1)
    val initial = source.initialState
    assert(initial.isInstanceOf[SnapshotIterator] && source.initialStateVersion == 1)
    source.getSnapshotAt(1)
    assert(source.initialState eq initial)
    assert(source.getSnapshotAt(2).size == 2 && source.initialStateVersion == 2)
    source.cleanUpSnapshotResources()
    assert(source.initialState == null)
  }

  test("S9: a snapshot older than the log's latest is unpersisted with its table state, the latest is not") {
    val t = table(Seq(1), Seq(2))
    val source = sourceOf(t)
    source.getSnapshotAt(1).size
    val old = source.initialState.snapshot
    old.stateDS.count()
    source.cleanUpSnapshotResources()
    assert(!old.isCached)
    source.getSnapshotAt(2).size
    val current = source.initialState.snapshot
    current.stateDS.count()
    source.cleanUpSnapshotResources()
    assert(current.isCached)
  }

  test("S10: stop releases the snapshot, and a second call is harmless") {
    val source = sourceOf(table(Seq(1)))
    latest(source)
    source.stop()
    assert(source.initialState == null)
    source.stop()
  }

  test("S11: the default read limit is the options'") {
    val t = table(Seq(1))
    def limit(pairs: (String, String)*) = sourceOf(t, pairs: _*).getDefaultReadLimit
    assert(limit() == ReadLimit.maxFiles(1000))
    assert(limit("maxFilesPerTrigger" -> "3") == ReadLimit.maxFiles(3))
    assert(limit("maxBytesPerTrigger" -> "1k") == ReadMaxBytes(1024))
    assert(limit("maxBytesPerTrigger" -> "1k", "maxFilesPerTrigger" -> "3") ==
      CompositeLimit(ReadMaxBytes(1024), ReadLimit.maxFiles(3).asInstanceOf[ReadMaxFiles]))
  }

  test("S11: an unknown kind of limit is refused") {
    val error = intercept[UnsupportedOperationException](
      latestWithin(sourceOf(table(Seq(1))), null, ReadLimit.maxRows(5))
    )
    assert(error.getMessage.contains("DELTA_UNKNOWN_READ_LIMIT"))
  }

  test("S12: excludeRegex comes from the options, and matching files are not read") {
    val t = table(Seq(1), Seq(2))
    val path = t.log.update().allFiles.collect().minBy(_.modificationTime).path
    val source = sourceOf(t, "excludeRegex" -> path.take(20))
    assert(source.excludeRegex.exists(_.regex == path.take(20)))
    assert(batches(source).flatMap(_._1) == Seq(2))
    assert(sourceOf(t).excludeRegex.isEmpty)
  }

  test("S13: the source is printed with the path of its table") {
    val t = table(Seq(1))
    assert(sourceOf(t).toString == s"DeltaSource[file:${t.path}]")
  }

  test("S14: the logger has the documented name") {
    val source = sourceOf(table(Seq(1)))
    val lines = LogCapture.of("org.apache.spark.sql.delta.sources.DeltaSource")(latest(source))
    assert(lines.nonEmpty)
  }

  test("S15: the demo of the documented page runs unchanged") {
    val t = table(Seq(1, 2))
    val q = spark.readStream
      .format("delta")
      .load(t.path)
      .writeStream
      .format("memory")
      .option("queryName", "demo")
      .start()
    try {
      q.processAllAvailable()
      val plan =
        q.asInstanceOf[StreamingQueryWrapper].streamingQuery.asInstanceOf[MicroBatchExecution].logicalPlan
      val relation = plan.collect { case r: StreamingExecutionRelation => r }.head
      assert(relation.source.isInstanceOf[DeltaSource])
      assert(relation.source.toString == s"DeltaSource[file:${t.path}]")
      assert(spark.table("demo").count() == 2)
    } finally q.stop()
  }
}
