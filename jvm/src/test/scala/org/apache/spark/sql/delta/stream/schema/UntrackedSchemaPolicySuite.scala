// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.types.{DataType, IntegerType, LongType, MetadataBuilder, StringType, StructType}

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.sources.DeltaStreamUtils.SchemaReadOptions
import org.apache.spark.sql.delta.stream.model.Problem.{Feature, OtherTable, UnsupportedFeature}
import org.apache.spark.sql.delta.stream.model.{Commit, MetadataAndProtocol, Problem}
import org.apache.spark.sql.delta.testing.Schemas
import org.scalatest.funsuite.AnyFunSuite

class UntrackedSchemaPolicySuite extends AnyFunSuite {
  private val id = new StructType().add("id", LongType)
  private val named = id.add("name", StringType)
  private val required = new StructType().add("id", LongType, nullable = false)
  private val strict = Schemas.strict

  /** What a change does: `Restart` is a failure that a restart resolves, `Track` one that needs tracking. */
  private sealed trait Effect
  private case object Ignored extends Effect
  private case object Restart extends Effect
  private case object Fail extends Effect
  private case object Track extends Effect

  private def table(columns: StructType) = Metadata(id = "id", schemaString = columns.json)

  private def effect(problem: Option[Problem]): Effect = problem match {
    case None => Ignored
    case Some(Problem.SchemaChanged(_, _, _, retryable, _)) => if (retryable) Restart else Fail
    case Some(_: Problem.NonAdditiveChange) => Track
    case other => fail(s"$other")
  }

  private def problemOf(
      schema: UntrackedSchemaPolicy,
      commit: Commit,
      isReplay: Boolean = false): Option[Problem] =
    schema.decide(commit, isReplay) match {
      case SchemaDecision.Fail(problem) => Some(problem)
      case SchemaDecision.Keep => None
      case SchemaDecision.Evolve => fail("an untracked schema does not evolve")
    }

  /** Checks a commit with `written`, after and before the version that was analyzed with `read`. */
  private def check(
      name: String,
      read: Metadata,
      written: Metadata,
      after: Effect,
      before: Effect,
      allows: SchemaReadOptions = strict
  ): Unit = test(name) {
    val schema = Schemas.untracked(read, version = 5, allows)
    def at(version: Long) = effect(problemOf(schema, Commit(version, metadata = Some(written))))
    val _ = assert((at(6), at(4)) == (after -> before))
  }

  private def column(key: String, value: String) =
    new StructType().add("id", LongType, nullable = true, new MetadataBuilder().putString(key, value).build())

  private def mapped(names: (String, Int)*): Metadata = {
    val columns = names.foldLeft(new StructType()) { case (columns, (name, number)) =>
      val physical = new MetadataBuilder()
        .putLong("delta.columnMapping.id", number.toLong)
        .putString("delta.columnMapping.physicalName", s"col-$number")
      columns.add(name, LongType, nullable = true, physical.build())
    }
    table(columns).copy(configuration = Map("delta.columnMapping.mode" -> "name"))
  }

  private def typed(dataType: DataType) = table(new StructType().add("id", dataType))

  check("the same metadata again", table(id), table(id), Ignored, Ignored)
  check(
    "a table property and a description",
    table(id),
    table(id).copy(configuration = Map("a" -> "b"), description = "new"),
    Ignored,
    Ignored
  )
  check("a comment on a column", table(id), table(column("comment", "new")), Ignored, Ignored)
  check("a column default", table(id), table(column("CURRENT_DEFAULT", "7")), Ignored, Ignored)
  check(
    "the high-water mark of an identity column",
    table(id),
    table(column("delta.identity.highWaterMark", "7")),
    Ignored,
    Ignored)
  check("an added column", table(id), table(named), Restart, Fail)
  check("a removed column", table(named), table(id), Ignored, Ignored)
  check("a column that becomes nullable", table(required), table(id), Restart, Fail)
  check("a column that is no longer nullable", table(id), table(required), Ignored, Ignored)
  check("a column with another type", typed(LongType), typed(StringType), Fail, Fail)
  check("a widened column", typed(IntegerType), typed(LongType), Fail, Fail)
  check(
    "a widened column, type widening enabled",
    typed(IntegerType),
    typed(LongType),
    Restart,
    Fail,
    strict.copy(typeWideningEnabled = true)
  )
  check(
    "a widened column that must be tracked",
    typed(IntegerType),
    typed(LongType),
    Track,
    Fail,
    strict.copy(typeWideningEnabled = true, enableSchemaTrackingForTypeWidening = true)
  )
  check("changed partitioning", table(id), table(id).copy(partitionColumns = Seq("id")), Restart, Fail)
  check(
    "changed partitioning, allowed",
    table(id),
    table(id).copy(partitionColumns = Seq("id")),
    Ignored,
    Ignored,
    strict.copy(allowUnsafeStreamingReadOnPartitionColumnChanges = true)
  )
  private val mapping = strict.copy(isStreamingFromColumnMappingTable = true)
  check("an added mapped column", mapped("a" -> 1), mapped("a" -> 1, "b" -> 2), Restart, Track, mapping)
  check("a renamed column", mapped("a" -> 1), mapped("b" -> 1), Track, Track, mapping)
  check("a dropped column", mapped("a" -> 1, "b" -> 2), mapped("a" -> 1), Track, Ignored, mapping)
  check(
    "a renamed column, allowed",
    mapped("a" -> 1),
    mapped("b" -> 1),
    Fail,
    Ignored,
    mapping.copy(allowUnsafeStreamingReadOnColumnMappingSchemaChanges = true)
  )

  private val schema = Schemas.untracked(table(id), version = 5)

  test("a commit of another table is refused with both ids") {
    val other = Commit(6, metadata = Some(table(id).copy(id = "other")))
    assert(problemOf(schema, other).contains(OtherTable("other", "id")))
  }

  test("a protocol change is not a schema change") {
    assert(problemOf(schema, Commit(6, protocol = Some(Protocol(3, 7)))).isEmpty)
  }

  test("a commit that lists its files in a manifest is not supported") {
    val found = problemOf(schema, Commit(6, hasManifest = true))
    assert(found.contains(UnsupportedFeature(Feature.ManifestCommits, "version 6")))
  }

  test("another schema at the start of a run is a schema change, unless a conf allows it") {
    val unsafe = strict.copy(forceEnableStreamingReadOnReadIncompatibleSchemaChangesDuringStreamStart = true)
    val allowing = Schemas.untracked(table(id), version = 5, unsafe)
    val text = typed(StringType)
    assert(effect(schema.checkStart(2, Right(MetadataAndProtocol(text, Protocol(1, 2))))) == Fail)
    assert(allowing.checkStart(2, Right(MetadataAndProtocol(text, Protocol(1, 2)))).isEmpty)
    // The commits of the batch that was planned there are compared like any others.
    for (isReplay <- Seq(true, false))
      assert(effect(problemOf(allowing, Commit(6, metadata = Some(text)), isReplay)) == Fail)
  }

  test("M25: with an entry of the schema log, a start at the analyzed version is checked too") {
    val reading = schema.copy(readsEntry = true)
    assert(Seq(4L, 5L, 6L).map(version => schema.mustCheckStart(version)) == Seq(true, false, false))
    assert(Seq(4L, 5L, 6L).map(version => reading.mustCheckStart(version)) == Seq(true, true, false))
  }

  test("M64: a start after the analyzed version is checked, unless no commit is between the two") {
    val reading = schema.copy(readsEntry = true)
    assert(Seq(5L, 6L, 7L).map(version => schema.mustCheckLaterStart(version)) == Seq(false, false, true))
    assert(Seq(5L, 6L, 7L).map(version => reading.mustCheckLaterStart(version)) == Seq(false, true, true))
  }

  test("a start schema that cannot be read is a problem only with column mapping") {
    val error = new NoSuchElementException
    assert(schema.checkStart(2, Left(error)).isEmpty)
    val found = Schemas.untracked(mapped("a" -> 1), version = 5, mapping).checkStart(2, Left(error))
    assert(found.contains(Problem.NoStartSchema(error)))
  }

  test("M6: a start schema that cannot be read is no problem if the user allows unsafe reads") {
    val unsafe = mapping.copy(allowUnsafeStreamingReadOnColumnMappingSchemaChanges = true)
    val risky = Schemas.untracked(mapped("a" -> 1), version = 5, unsafe)
    assert(risky.checkStart(2, Left(new NoSuchElementException)).isEmpty)
  }

  test("M7: a widened column needs tracking if a conf says so, even if unsafe reads are allowed") {
    val widening = strict.copy(
      typeWideningEnabled = true,
      enableSchemaTrackingForTypeWidening = true,
      allowUnsafeStreamingReadOnColumnMappingSchemaChanges = true)
    val narrow = Schemas.untracked(typed(IntegerType), version = 5, widening)
    assert(effect(problemOf(narrow, Commit(6, metadata = Some(typed(LongType))))) == Track)
  }
}
