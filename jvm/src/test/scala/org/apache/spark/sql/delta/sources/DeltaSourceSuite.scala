// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{EqualTo, Literal}
import org.apache.spark.sql.connector.read.streaming.{
  ReadLimit,
  ReadMaxFiles,
  SupportsAdmissionControl,
  SupportsTriggerAvailableNow
}
import org.apache.spark.sql.execution.streaming.Source
import org.apache.spark.sql.execution.streaming.runtime.{
  MicroBatchExecution,
  SerializedOffset,
  StreamingExecutionRelation,
  StreamingQueryWrapper
}

import org.apache.spark.sql.delta.actions.{Action, AddFile, CommitInfo}
import org.apache.spark.sql.delta.files.SnapshotIterator
import org.apache.spark.sql.delta.stream.plan._
import org.apache.spark.sql.delta.testing.{LogCapture, SourceFixture, TestTable}
import org.apache.spark.sql.delta.{DeltaOptions, SnapshotDescriptor}
import org.scalatest.funsuite.AnyFunSuite

/** The rows S1 to S15 of docs/behaviour.md. */
class DeltaSourceSuite extends AnyFunSuite with SourceFixture {

  private def table(commits: Seq[Long]*): TestTable =
    commits.foldLeft(TestTable().create())((table, ids) => table.append(ids, files = ids.size))

  private def options(pairs: (String, String)*) = new DeltaOptions(pairs.toMap, spark.sessionState.conf)

  test("S1: the source is what the documentation and the engine take it for") {
    val source = sourceOf(table(Seq(1)))
    assert(source.isInstanceOf[DeltaSourceBase] && source.isInstanceOf[DeltaSourceCDCSupport])
    assert(source.isInstanceOf[Source] && source.isInstanceOf[SupportsAdmissionControl])
    assert(source.isInstanceOf[SupportsTriggerAvailableNow])
    assert(source.schema == spark.read.format("delta").load(table(Seq(1)).path).schema)
  }

  test("S2: the source is made in all its shapes, and each reads the table") {
    val t = table(Seq(1, 2))
    val (log, snapshot) = (t.log, t.log.update(): SnapshotDescriptor)
    val folder = t.checkpointFolder() + "/sources/0"
    val made = Seq(
      DeltaSource(spark, log, None, options(), snapshot, folder),
      new DeltaSource(spark, log, None, options(), snapshot, folder),
      DeltaSource(spark, log, options(), snapshot, folder, None, Nil),
      DeltaSource(spark, log, options(), snapshot, folder, None),
      DeltaSource(spark, log, options(), snapshot, folder),
      DeltaSource(spark, log, options(), Nil),
      DeltaSource(spark, log, options()),
      new DeltaSource(spark, log, options(), snapshot, folder, None, Nil),
      new DeltaSource(spark, log, options(), snapshot, folder, None),
      new DeltaSource(spark, log, options(), snapshot, folder),
      new DeltaSource(spark, log, options(), Nil),
      new DeltaSource(spark, log, options())
    )
    made.foreach(source => assert(batches(source).flatMap(_._1) == Seq(1, 2)))
    assert(made.distinct.size == made.size)
  }

  test("S2: partition predicates restrict what is admitted, and the numbering stays over all files") {
    val t = TestTable().create("id LONG, p STRING", "PARTITIONED BY (p)")
    t.sql(s"INSERT INTO ${t.name} VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    t.sql(s"INSERT INTO ${t.name} VALUES (4, 'a'), (5, 'b'), (6, 'c')")
    val filter = EqualTo(UnresolvedAttribute(Seq("p")), Literal("c"))
    val source = DeltaSource(spark, t.log, options("maxFilesPerTrigger" -> "1"), Seq(filter))
    assert(batches(source).map(_._1) == Seq(Seq(3), Seq(6)))
    val whole =
      new DeltaSource(spark, t.log, options()).getSnapshotAt(2).filter(_.add.partitionValues("p") == "c")
    assert(source.getChanges(
      2,
      DeltaSourceOffset.BASE_INDEX,
      isStartingVersion = true
    ).filter(_.hasFileAction)
      .map(_.index).toSeq == whole.map(_.index).toSeq)
  }

  test("S3: getBatch gives the rows between two offsets, and tells both at DEBUG") {
    val source = sourceOf(table(Seq(1), Seq(2)), "startingVersion" -> "1", "maxFilesPerTrigger" -> "1")
    val first = latest(source)
    val lines = LogCapture.of("org.apache.spark.sql.delta.sources.DeltaSource") {
      assert(rows(source.getBatch(None, first)) == Seq(1))
    }
    assert(lines.contains(s"start: None end: $first"))
    val second = latest(source, first)
    assert(rows(source.getBatch(Some(first), second)) == Seq(2))
    assert(source.getBatch(Some(first), second).isStreaming)
  }

  test("S3: without a start getBatch resolves the starting version") {
    val t = table(Seq(1), Seq(2))
    val end = latest(sourceOf(t, "startingVersion" -> "2"))
    val restarted = sourceOf(t, "startingVersion" -> "2")
    assert(rows(restarted.getBatch(None, SerializedOffset(end.json))) == Seq(2))
    assert(restarted.getStartingVersion.contains(2L))
  }

  test("S3: a start that is no longer in the initial snapshot releases it") {
    val t = table(Seq(1))
    val source = sourceOf(t)
    val first = latest(source)
    source.getBatch(None, first)
    assert(source.initialState != null)
    t.append(Seq(2))
    val second = latest(source, first)
    source.getBatch(Some(first), second)
    assert(source.initialState == null)
  }

  test("S4: previousOffset is null at first, then the last answer; decisions use the given start") {
    val t = table(Seq(1, 2), Seq(3))
    val source = sourceOf(t, "maxFilesPerTrigger" -> "1")
    assert(source.previousOffset == null)
    val first = latest(source)
    assert(source.previousOffset == first)
    val second = latest(source, first)
    assert(latest(source, first) == second && latest(source, first) == second)
  }

  test("S4: previous and current offset are told at DEBUG") {
    val source = sourceOf(table(Seq(1), Seq(2)), "maxFilesPerTrigger" -> "1")
    val first = latest(source)
    val lines = LogCapture.of("org.apache.spark.sql.delta.sources.DeltaSource")(latest(source, first))
    assert(lines.contains(s"previousOffset -> currentOffset: $first -> ${source.previousOffset}"))
  }

  test("S4: nothing new is the previous offset, and a commit without data moves it on") {
    val t = table(Seq(1))
    val source = sourceOf(t)
    val first = latest(source)
    assert(latest(source, first) == first)
    t.writeCommit(2, """{"commitInfo":{"operation":"NOTHING","operationParameters":{}}}""")
    assert(latest(
      source,
      first
    ) == DeltaSourceOffset(first.reservoirId, 3, DeltaSourceOffset.BASE_INDEX, false))
  }

  test("S4: nothing there yet is null") {
    assert(latest(sourceOf(table(Seq(1)), "startingVersion" -> "latest")) == null)
  }

  test("S4: an offset is inside the snapshot only while its version is the snapshot's") {
    val source = sourceOf(table(Seq(1, 2)), "maxFilesPerTrigger" -> "1")
    val ends = batches(source).map(_._2)
    val (inside, behind) = (ends.head, ends.last)
    assert(ends.size == 2)
    assert(inside.isInitialSnapshot && inside.reservoirVersion == 1 && inside.index == 0)
    assert(
      !behind.isInitialSnapshot && behind.reservoirVersion == 2 && behind.index == DeltaSourceOffset.BASE_INDEX
    )
  }

  test("S5: getStartingOffset is the end of the first batch") {
    val source = sourceOf(table(Seq(1, 2)))
    val limits = DeltaSource.AdmissionLimits(options(), ReadLimit.maxFiles(1))
    assert(source.getStartingOffset(limits).map(_.json) == Some(latestWithin(
      source,
      null,
      ReadLimit.maxFiles(1)
    ).json))
  }

  test("S5: getStartingOffset is none for a table without a version, and with neither file nor marker") {
    val none = TestTable()
    val empty = DeltaSource(spark, none.log, options())
    assert(none.log.update().version < 0 && empty.getStartingOffset(None).isEmpty)
    assert(sourceOf(table(Seq(1)), "startingVersion" -> "latest").getStartingOffset(None).isEmpty)
  }

  /** A planner that goes one version back. */
  private val backwards = new Planner {
    override def acceptsEvery: Boolean = true
    override def plan(steps: Iterator[Step], from: Position, budget: Budget): Plan =
      Plan(from, from.copy(version = from.version - 1), Vector.empty, None)
    override def range(steps: Iterator[Step], from: Position, to: Position): Plan = Plan.at(from)
    override def entries(steps: Iterator[Step], from: Position) = Iterator.empty
  }

  private def goingBack(t: TestTable): DeltaSource =
    new DeltaSource(spark, t.log, None, options(), t.log.update(), "", None, Nil, Some(backwards))

  test("S5: an end before the start is an assertion") {
    val error = intercept[AssertionError](goingBack(table(Seq(1))).getStartingOffset(None))
    assert(error.getMessage ==
      "assertion failed: getChangesWithRateLimit returns an invalid version: 0 (expected: >= 1)")
  }

  test("S4: an offset that moves back is refused while offsets are validated") {
    val t = table(Seq(1)).append(Seq(2))
    val first = latest(sourceOf(t))
    val error = intercept[IllegalStateException](latest(goingBack(t), first))
    assert(error.getMessage.contains("moved back"))
    withConf("spark.databricks.delta.streaming.offsetValidation.enabled" -> "false") {
      assert(latest(goingBack(t), first).reservoirVersion == first.reservoirVersion - 1)
    }
  }

  test("S6: getChanges has the snapshot first, then the commits, only what is later, markers included") {
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

  test("S6: getChangesWithRateLimit stops where the options' limit does") {
    val source = sourceOf(table(Seq(1, 2), Seq(3)), "maxFilesPerTrigger" -> "2", "startingVersion" -> "0")
    val files = source.getChangesWithRateLimit(0, -1, isStartingVersion = false).filter(_.hasFileAction)
    assert(files.map(file => (file.version, file.index)).toSeq == Seq((1, 0), (1, 1)))
  }

  test("S7: filterAndIndexDeltaLogs numbers the files of commits between their markers") {
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

  test("S7: verifyStreamHygieneAndFilterAddFiles keeps adds of data and refuses what the stream refuses") {
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

  test("S9: the initial snapshot is replaced only by one of another version, and forgotten when cleaned up") {
    val t = table(Seq(1), Seq(2))
    val source = sourceOf(t)
    assert(source.initialState == null)
    assert(source.getSnapshotAt(1).map(_.add.path).size == 1)
    val held = source.initialState
    assert(held.isInstanceOf[SnapshotIterator] && source.initialStateVersion == 1)
    source.getSnapshotAt(1)
    assert(source.initialState eq held)
    assert(source.getSnapshotAt(2).size == 2 && source.initialStateVersion == 2)
    source.cleanUpSnapshotResources()
    assert(source.initialState == null)
  }

  test("S9: a snapshot older than the log's is unpersisted with its table state, the log's own is not") {
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

  test("S11: a kind of limit the source does not know is refused") {
    val error = intercept[UnsupportedOperationException](
      latestWithin(sourceOf(table(Seq(1))), null, ReadLimit.maxRows(5))
    )
    assert(error.getMessage.contains("DELTA_UNKNOWN_READ_LIMIT"))
  }

  test("S12: excludeRegex comes from the options, and its matches are not read") {
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

  test("S15: the page's demo works as it stands") {
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
