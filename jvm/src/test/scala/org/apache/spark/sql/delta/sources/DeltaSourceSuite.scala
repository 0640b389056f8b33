// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{EqualTo, Literal}
import org.apache.spark.sql.connector.read.streaming.{
  ReadLimit,
  SupportsAdmissionControl,
  SupportsTriggerAvailableNow
}
import org.apache.spark.sql.execution.streaming.Source
import org.apache.spark.sql.execution.streaming.runtime.SerializedOffset

import org.apache.spark.sql.delta.SnapshotDescriptor
import org.apache.spark.sql.delta.stream.model.Position
import org.apache.spark.sql.delta.stream.plan.{Budget, Plan, Planner, ScanStep}
import org.apache.spark.sql.delta.testing.{LogCapture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

class DeltaSourceSuite extends AnyFunSuite with DeltaSourceFixture {
  test("S1: the source has the documented supertypes, the interfaces Spark uses, and the table's schema") {
    val source = sourceOf(table(Seq(1)))
    assert(source.isInstanceOf[DeltaSourceBase] && source.isInstanceOf[DeltaSourceCDCSupport])
    assert(source.isInstanceOf[Source] && source.isInstanceOf[SupportsAdmissionControl])
    assert(source.isInstanceOf[SupportsTriggerAvailableNow])
    assert(source.schema == spark.read.format("delta").load(table(Seq(1)).path).schema)
  }

  test("S2: a source from any constructor or apply method reads the table") {
    val t = table(Seq(1, 2))
    val (log, snapshot) = (t.log, t.log.update(): SnapshotDescriptor)
    val folder = t.checkpointFolder() + "/sources/0"
    val sources = Seq(
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
    sources.foreach(source => assert(batches(source).flatMap(_._1) == Seq(1, 2)))
    assert(sources.distinct.size == sources.size)
  }

  test("S2: partition predicates restrict which files are admitted, and all files are still numbered") {
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

  test("S3: getBatch returns the rows between two offsets, and logs both at DEBUG") {
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

  test("S3: a start outside the initial snapshot releases the snapshot") {
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

  test("S4: previousOffset is null at first, then the last result; latestOffset uses the given start") {
    val t = table(Seq(1, 2), Seq(3))
    val source = sourceOf(t, "maxFilesPerTrigger" -> "1")
    assert(source.previousOffset == null)
    val first = latest(source)
    assert(source.previousOffset == first)
    val second = latest(source, first)
    assert(latest(source, first) == second && latest(source, first) == second)
  }

  test("S4: previous and current offset are logged at DEBUG") {
    val source = sourceOf(table(Seq(1), Seq(2)), "maxFilesPerTrigger" -> "1")
    val first = latest(source)
    val lines = LogCapture.of("org.apache.spark.sql.delta.sources.DeltaSource")(latest(source, first))
    assert(lines.contains(s"previousOffset -> currentOffset: $first -> ${source.previousOffset}"))
  }

  test("S4: the offset stays if there is nothing new, and a commit without data advances it") {
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

  test("S4: latestOffset is null if there is nothing yet") {
    assert(latest(sourceOf(table(Seq(1)), "startingVersion" -> "latest")) == null)
  }

  test("S4: an offset is inside the initial snapshot only while its version is that of the snapshot") {
    val source = sourceOf(table(Seq(1, 2)), "maxFilesPerTrigger" -> "1")
    val ends = batches(source).map(_._2)
    val (inside, after) = (ends.head, ends.last)
    assert(ends.size == 2)
    assert(inside.isInitialSnapshot && inside.reservoirVersion == 1 && inside.index == 0)
    assert(
      !after.isInitialSnapshot && after.reservoirVersion == 2 && after.index == DeltaSourceOffset.BASE_INDEX
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

  test("S5: getStartingOffset is None without a version, and if no file or sentinel follows") {
    val none = TestTable()
    val empty = DeltaSource(spark, none.log, options())
    assert(none.log.update().version < 0 && empty.getStartingOffset(None).isEmpty)
    assert(sourceOf(table(Seq(1)), "startingVersion" -> "latest").getStartingOffset(None).isEmpty)
  }

  /** A planner that goes one version back. */
  private val backwards = new Planner {
    override def acceptsAllFiles: Boolean = true
    override def plan(steps: Iterator[ScanStep], from: Position, budget: Budget): Plan =
      Plan(from, from.copy(version = from.version - 1), Vector.empty, None)
    override def planRange(steps: Iterator[ScanStep], from: Position, to: Position): Plan = Plan.empty(from)
    override def entries(steps: Iterator[ScanStep], from: Position) = Iterator.empty
  }

  private def goingBack(t: TestTable): DeltaSource =
    new DeltaSource(spark, t.log, None, options(), t.log.update(), "", None, Nil, Some(backwards))

  test("S5: an end before the start is an assertion error") {
    val error = intercept[AssertionError](goingBack(table(Seq(1))).getStartingOffset(None))
    assert(error.getMessage ==
      "assertion failed: getChangesWithRateLimit returns an invalid version: 0 (expected: >= 1)")
  }

  test("S4: an offset that moves back is refused unless offset validation is off") {
    val t = table(Seq(1)).append(Seq(2))
    val first = latest(sourceOf(t))
    val error = intercept[IllegalStateException](latest(goingBack(t), first))
    assert(error.getMessage.contains("moved back"))
    withConf("spark.databricks.delta.streaming.offsetValidation.enabled" -> "false") {
      assert(latest(goingBack(t), first).reservoirVersion == first.reservoirVersion - 1)
    }
  }
}
