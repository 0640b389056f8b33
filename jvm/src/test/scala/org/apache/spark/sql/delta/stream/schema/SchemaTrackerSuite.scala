// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.types.{StringType, StructType}

import org.apache.spark.sql.delta.stream.model.IndexInVersion
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class SchemaTrackerSuite extends AnyFunSuite with SchemaTrackerFixture {
  test("a new stream begins its log with the schema of where it begins") {
    val (log, schemas) = (history()(2), new Schemas)
    val stream = run(log, schemas, "startingVersion" -> "1")
    assert(stream.latest(None, all).contains(at(3)))
    assert(schemas.versions == Seq(1L -> 1))
  }

  test("a new stream at an older schema ends at once, and the next one begins") {
    val (log, schemas) = (history(2 -> second)(3), new Schemas)
    evolves(run(log, schemas, "startingVersion" -> "1").latest(None, all))
    assert(schemas.versions == Seq(1L -> 1))
    val stream = run(log, schemas, "startingVersion" -> "1")
    assert(stream.latest(None, all).contains(at(2, IndexInVersion.SchemaChange)))
  }

  /** The way from version 1 over the change at version 2, with a crash before each call in turn. */
  private def calls(log: InMemoryTableLog, schemas: Schemas): Seq[() => Any] = {
    var stream = run(log, schemas, "startingVersion" -> "1")
    def anew(): Unit = stream = run(log, schemas, "startingVersion" -> "1")
    val (barrier, behind) = (at(2, IndexInVersion.SchemaChange), at(2, IndexInVersion.AfterSchemaChange))
    val started = Option.when(schemas.versions == Seq(1L -> 1))(())
    assert(started.isDefined)
    Seq(
      () => assert(stream.latest(None, all).contains(barrier)),
      () => assert(paths(stream, stream.begin(None, barrier), barrier) == Seq("1")),
      () => assert(stream.latest(Some(barrier), all).contains(behind)),
      () => assert(paths(stream, barrier, behind).isEmpty),
      () => { evolves(stream.commit(barrier)); anew() },
      () => assert(schemas.versions == Seq(1L -> 1, 2L -> 2)),
      () => assert(paths(stream, barrier, behind).isEmpty),
      () => assert(stream.latest(Some(behind), all).contains(at(4))),
      () => assert(paths(stream, behind, at(4)) == Seq("2", "3")),
      () => stream.commit(behind)
    )
  }

  private def changed: (InMemoryTableLog, Schemas) = {
    val (log, schemas) = (history(2 -> second)(3), new Schemas)
    evolves(run(log, schemas, "startingVersion" -> "1").latest(None, all))
    (log, schemas)
  }

  test(
    "a batch ends before a change, an empty one behind it, and a commit ends the run") {
    val (log, schemas) = changed
    calls(log, schemas).foreach(_())
  }

  test("a run that dies before any call of the way over a change goes on from where it was") {
    (0 to 9).foreach { death =>
      val (log, schemas) = changed
      calls(log, schemas).take(death).foreach(_())
      val stream = run(log, schemas, "startingVersion" -> "1")
      val (barrier, behind) = (at(2, IndexInVersion.SchemaChange), at(2, IndexInVersion.AfterSchemaChange))
      if (death <= 4) {
        assert(paths(stream, stream.begin(None, barrier), barrier) == Seq("1"))
        assert(stream.latest(Some(barrier), all).contains(behind))
        assert(paths(stream, barrier, behind).isEmpty)
        evolves(stream.commit(barrier))
        assert(schemas.versions == Seq(1L -> 1, 2L -> 2))
      } else {
        assert(paths(stream, barrier, behind).isEmpty)
        assert(stream.latest(Some(behind), all).contains(at(4)))
        assert(paths(stream, behind, at(4)) == Seq("2", "3"))
      }
    }
  }

  test("behind a change not written down the stream stays until a commit ends it") {
    val (log, schemas) = changed
    val stream = run(log, schemas, "startingVersion" -> "1")
    val behind = at(2, IndexInVersion.AfterSchemaChange)
    assert(stream.latest(Some(behind), all).contains(behind))
    evolves(stream.commit(behind))
    assert(schemas.versions == Seq(1L -> 1, 2L -> 2))
  }

  test("a change that was just met is looked up from memory") {
    val (log, schemas) = changed
    val stream = run(log, schemas, "startingVersion" -> "1")
    val barrier = stream.latest(None, all)
    val before = (log.reads.size, log.listings)
    val behind = stream.latest(barrier, all)
    evolves(barrier.foreach(stream.commit))
    assert(behind.contains(at(2, IndexInVersion.AfterSchemaChange)) && (
      log.reads.size,
      log.listings) == before)
  }

  test("limits end a batch before a change, and a change ends it before limits do") {
    val (log, schemas) = (history(3 -> second)(5), new Schemas)
    evolves(run(log, schemas, "startingVersion" -> "1").latest(None, all))
    val stream = run(log, schemas, "startingVersion" -> "1")
    assert(stream.latest(None, Budget(1, 100)).contains(at(2)))
    assert(stream.latest(Some(at(2)), Budget(9, 100)).contains(at(3, IndexInVersion.SchemaChange)))
  }

  test("two changes are two entries") {
    val (log, schemas) = (history(2 -> second, 3 -> third)(4), new Schemas)
    evolves(run(log, schemas, "startingVersion" -> "1").latest(None, all))
    evolves(run(log, schemas, "startingVersion" -> "1").commit(at(2, IndexInVersion.SchemaChange)))
    val stream = run(log, schemas, "startingVersion" -> "1")
    val end = stream.latest(Some(at(2, IndexInVersion.AfterSchemaChange)), all)
    assert(end.contains(at(3, IndexInVersion.SchemaChange)))
    assert(paths(
      stream,
      at(2, IndexInVersion.AfterSchemaChange),
      at(3, IndexInVersion.SchemaChange)) == Seq("2"))
    evolves(stream.commit(at(3, IndexInVersion.SchemaChange)))
    assert(schemas.versions == Seq(1L -> 1, 2L -> 2, 3L -> 3))
  }

  test("a snapshot newer than the schema of a stream that read nothing replaces the entry") {
    val (log, schemas) = (history()(1), new Schemas)
    assert(run(log, schemas).latest(None, all).contains(at(2)))
    assert(schemas.versions == Seq(1L -> 1))
    val moved = history(2 -> second)(3)
    evolves(run(moved, schemas).latest(None, all))
    assert(schemas.versions == Seq(3L -> 2))
    assert(run(moved, schemas).latest(None, all).contains(at(4)))
  }

  test("a stream that kept no log resumes with the one schema that reads all that was planned") {
    val (log, schemas) = (history(2 -> second)(3), new Schemas)
    assert(paths(run(log, schemas), at(1), at(4)) == Seq("1", "2", "3"))
    assert(schemas.versions == Seq(3L -> 2))
  }

  test("a stream that kept no log ends if its one schema is not the newest") {
    val (log, schemas) = (history(2 -> second, 4 -> third)(5), new Schemas)
    evolves(run(log, schemas).files(at(1), at(4)))
    assert(schemas.versions == Seq(3L -> 2))
    assert(paths(run(log, schemas), at(1), at(4)) == Seq("1", "2", "3"))
  }

  test("an entry that is there already does not undo the offset in front of its change") {
    val (log, schemas) = changed
    evolves(run(log, schemas, "startingVersion" -> "1").commit(at(2, IndexInVersion.SchemaChange)))
    val end =
      run(log, schemas, "startingVersion" -> "1").latest(Some(at(2, IndexInVersion.SchemaChange)), all)
    assert(end.contains(at(2, IndexInVersion.AfterSchemaChange)))
  }

  test("losses are not allowed: a lost commit could hold a change") {
    val (log, schemas) = (history()(2), new Schemas)
    val stream = run(log, schemas, "startingVersion" -> "1", "failOnDataLoss" -> "false")
    assert(intercept[IllegalArgumentException](stream.latest(
      None,
      all)).getMessage.contains("missing commit files"))
  }

  test("without one schema for all that was planned the stream is refused, and nothing written") {
    val text = new StructType().add("id", StringType)
    val (log, schemas) = (history(2 -> text)(3), new Schemas)
    condition("DELTA_STREAMING_SCHEMA_LOG_INIT_FAILED_INCOMPATIBLE_METADATA")(run(
      log,
      schemas).files(at(1), at(4)))
    assert(schemas.entries.isEmpty)
  }
}
