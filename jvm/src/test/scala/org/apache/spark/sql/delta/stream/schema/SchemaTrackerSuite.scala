// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.types.{StringType, StructType}

import org.apache.spark.sql.delta.stream.model.IndexInVersion
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class SchemaTrackerSuite extends AnyFunSuite with SchemaTrackerFixture {
  test("a new stream starts its schema log with the schema at its start version") {
    val (log, schemas) = (history()(2), new Schemas)
    val stream = run(log, schemas, "startingVersion" -> "1")
    assert(stream.latestOffset(None, all).contains(at(3)))
    assert(schemas.versions == Seq(1L -> 1))
  }

  test("a new stream that starts at an older schema ends at once, and the next run starts") {
    val (log, schemas) = (history(2 -> second)(3), new Schemas)
    evolves(run(log, schemas, "startingVersion" -> "1").latestOffset(None, all))
    assert(schemas.versions == Seq(1L -> 1))
    val stream = run(log, schemas, "startingVersion" -> "1")
    assert(stream.latestOffset(None, all).contains(at(2, IndexInVersion.SchemaChange)))
  }

  /** The calls that take a stream from version 1 past the schema change at version 2, over two runs. */
  private def calls(log: InMemoryTableLog, schemas: Schemas): Seq[() => Any] = {
    var stream = run(log, schemas, "startingVersion" -> "1")
    def restart(): Unit = stream = run(log, schemas, "startingVersion" -> "1")
    val (barrier, after) = (at(2, IndexInVersion.SchemaChange), at(2, IndexInVersion.AfterSchemaChange))
    val started = Option.when(schemas.versions == Seq(1L -> 1))(())
    assert(started.isDefined)
    Seq(
      () => assert(stream.latestOffset(None, all).contains(barrier)),
      () => assert(paths(stream, stream.batchStart(None, barrier), barrier) == Seq("1")),
      () => assert(stream.latestOffset(Some(barrier), all).contains(after)),
      () => assert(paths(stream, barrier, after).isEmpty),
      () => { evolves(stream.commit(barrier)); restart() },
      () => assert(schemas.versions == Seq(1L -> 1, 2L -> 2)),
      () => assert(paths(stream, barrier, after).isEmpty),
      () => assert(stream.latestOffset(Some(after), all).contains(at(4))),
      () => assert(paths(stream, after, at(4)) == Seq("2", "3")),
      () => stream.commit(after)
    )
  }

  private def changed: (InMemoryTableLog, Schemas) = {
    val (log, schemas) = (history(2 -> second)(3), new Schemas)
    evolves(run(log, schemas, "startingVersion" -> "1").latestOffset(None, all))
    (log, schemas)
  }

  test("a batch ends before a schema change, an empty one after it, and the first commit ends the run") {
    val (log, schemas) = changed
    calls(log, schemas).foreach(_())
  }

  test("a run that dies at any call around a schema change is continued by the next run") {
    (0 to 9).foreach { callsMade =>
      val (log, schemas) = changed
      calls(log, schemas).take(callsMade).foreach(_())
      val stream = run(log, schemas, "startingVersion" -> "1")
      val (barrier, after) = (at(2, IndexInVersion.SchemaChange), at(2, IndexInVersion.AfterSchemaChange))
      if (callsMade <= 4) {
        assert(paths(stream, stream.batchStart(None, barrier), barrier) == Seq("1"))
        assert(stream.latestOffset(Some(barrier), all).contains(after))
        assert(paths(stream, barrier, after).isEmpty)
        evolves(stream.commit(barrier))
        assert(schemas.versions == Seq(1L -> 1, 2L -> 2))
      } else {
        assert(paths(stream, barrier, after).isEmpty)
        assert(stream.latestOffset(Some(after), all).contains(at(4)))
        assert(paths(stream, after, at(4)) == Seq("2", "3"))
      }
    }
  }

  test("M23: a batch that a run without tracking planned across a schema change is replayed as a whole") {
    val (log, schemas) = changed
    assert(paths(run(log, schemas), at(1), at(4)) == Seq("1", "2", "3"))
    assert(schemas.versions == Seq(1L -> 1))
  }

  test("after a change that is not in the schema log, the stream waits until a commit ends the run") {
    val (log, schemas) = changed
    val stream = run(log, schemas, "startingVersion" -> "1")
    val after = at(2, IndexInVersion.AfterSchemaChange)
    assert(stream.latestOffset(Some(after), all).contains(after))
    evolves(stream.commit(after))
    assert(schemas.versions == Seq(1L -> 1, 2L -> 2))
  }

  test("a change that was just reached is handled from memory") {
    val (log, schemas) = changed
    val stream = run(log, schemas, "startingVersion" -> "1")
    val barrier = stream.latestOffset(None, all)
    val before = (log.reads.size, log.listings)
    val after = stream.latestOffset(barrier, all)
    evolves(barrier.foreach(stream.commit))
    assert(after.contains(at(2, IndexInVersion.AfterSchemaChange)) && (
      log.reads.size,
      log.listings) == before)
  }

  test("a batch ends at a limit or at a schema change, whichever comes first") {
    val (log, schemas) = (history(3 -> second)(5), new Schemas)
    evolves(run(log, schemas, "startingVersion" -> "1").latestOffset(None, all))
    val stream = run(log, schemas, "startingVersion" -> "1")
    assert(stream.latestOffset(None, Budget(1, 100)).contains(at(2)))
    assert(stream.latestOffset(Some(at(2)), Budget(9, 100)).contains(at(3, IndexInVersion.SchemaChange)))
  }

  test("two schema changes write two entries") {
    val (log, schemas) = (history(2 -> second, 3 -> third)(4), new Schemas)
    evolves(run(log, schemas, "startingVersion" -> "1").latestOffset(None, all))
    evolves(run(log, schemas, "startingVersion" -> "1").commit(at(2, IndexInVersion.SchemaChange)))
    val stream = run(log, schemas, "startingVersion" -> "1")
    val end = stream.latestOffset(Some(at(2, IndexInVersion.AfterSchemaChange)), all)
    assert(end.contains(at(3, IndexInVersion.SchemaChange)))
    assert(paths(
      stream,
      at(2, IndexInVersion.AfterSchemaChange),
      at(3, IndexInVersion.SchemaChange)) == Seq("2"))
    evolves(stream.commit(at(3, IndexInVersion.SchemaChange)))
    assert(schemas.versions == Seq(1L -> 1, 2L -> 2, 3L -> 3))
  }

  test("a stream that has read nothing replaces its entry if its snapshot has a newer schema") {
    val (log, schemas) = (history()(1), new Schemas)
    assert(run(log, schemas).latestOffset(None, all).contains(at(2)))
    assert(schemas.versions == Seq(1L -> 1))
    val moved = history(2 -> second)(3)
    evolves(run(moved, schemas).latestOffset(None, all))
    assert(schemas.versions == Seq(3L -> 2))
    assert(run(moved, schemas).latestOffset(None, all).contains(at(4)))
  }

  test("a stream without a schema log resumes with the one schema that reads everything planned") {
    val (log, schemas) = (history(2 -> second)(3), new Schemas)
    assert(paths(run(log, schemas), at(1), at(4)) == Seq("1", "2", "3"))
    assert(schemas.versions == Seq(3L -> 2))
  }

  test("a stream without a schema log ends if that schema is not the latest") {
    val (log, schemas) = (history(2 -> second, 4 -> third)(5), new Schemas)
    evolves(run(log, schemas).files(at(1), at(4)))
    assert(schemas.versions == Seq(3L -> 2))
    assert(paths(run(log, schemas), at(1), at(4)) == Seq("1", "2", "3"))
  }

  test("a restart with the new entry advances from the offset before its change") {
    val (log, schemas) = changed
    evolves(run(log, schemas, "startingVersion" -> "1").commit(at(2, IndexInVersion.SchemaChange)))
    val end =
      run(log, schemas, "startingVersion" -> "1").latestOffset(Some(at(2, IndexInVersion.SchemaChange)), all)
    assert(end.contains(at(2, IndexInVersion.AfterSchemaChange)))
  }

  test("failOnDataLoss=false is refused: a lost commit could contain a schema change") {
    val (log, schemas) = (history()(2), new Schemas)
    val stream = run(log, schemas, "startingVersion" -> "1", "failOnDataLoss" -> "false")
    assert(intercept[IllegalArgumentException](stream.latestOffset(
      None,
      all)).getMessage.contains("missing commit files"))
  }

  test(
    "M24: with failOnDataLoss=false, a restart delivers the planned initial snapshot, and is refused then") {
    val (log, schemas) = (history()(2), new Schemas)
    def start = run(log, schemas, "failOnDataLoss" -> "false")
    val end = start.latestOffset(None, all).get
    val restarted = start
    assert(paths(restarted, restarted.batchStart(None, end), end) == Seq("1", "2"))
    assertThrows[IllegalArgumentException](restarted.latestOffset(Some(end), all))
  }

  test("without one schema that reads everything planned, the stream fails and writes no entry") {
    val text = new StructType().add("id", StringType)
    val (log, schemas) = (history(2 -> text)(3), new Schemas)
    condition("DELTA_STREAMING_SCHEMA_LOG_INIT_FAILED_INCOMPATIBLE_METADATA")(run(
      log,
      schemas).files(at(1), at(4)))
    assert(schemas.entries.isEmpty)
  }
}
