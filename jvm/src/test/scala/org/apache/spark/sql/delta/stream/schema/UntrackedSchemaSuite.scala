// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.types.{DataType, IntegerType, LongType, MetadataBuilder, StringType, StructType}

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.sources.DeltaStreamUtils.SchemaReadOptions
import org.apache.spark.sql.delta.stream.model.Problem.{Feature, OtherTable, UnsupportedFeature}
import org.apache.spark.sql.delta.stream.model.{Commit, Problem, TableSchema}
import org.apache.spark.sql.delta.testing.Schemas
import org.scalatest.funsuite.AnyFunSuite

class UntrackedSchemaSuite extends AnyFunSuite {
  private val id = new StructType().add("id", LongType)
  private val named = id.add("name", StringType)
  private val required = new StructType().add("id", LongType, nullable = false)
  private val strict = Schemas.strict

  /** What becomes of a change: nothing, an end that a restart mends or not, or a call for schema tracking. */
  private sealed trait Fate
  private case object Unnoticed extends Fate
  private case object Restart extends Fate
  private case object End extends Fate
  private case object Track extends Fate

  private def table(columns: StructType) = Metadata(id = "id", schemaString = columns.json)

  private def fate(problem: Option[Problem]): Fate = problem match {
    case None => Unnoticed
    case Some(Problem.SchemaChanged(_, _, _, retryable, _)) => if (retryable) Restart else End
    case Some(_: Problem.NonAdditiveChange) => Track
    case other => fail(s"$other")
  }

  private def judged(schema: UntrackedSchema, commit: Commit, starting: Boolean = false): Option[Problem] =
    schema.decide(commit, starting) match {
      case SchemaDecision.Refuse(problem) => Some(problem)
      case SchemaDecision.Keep => None
      case SchemaDecision.Evolve => fail("nothing evolves")
    }

  /** A stream analyzed with `read` at version 5 meets `written`, at a version after that or before it. */
  private def check(
      name: String,
      read: Metadata,
      written: Metadata,
      after: Fate,
      before: Fate,
      allows: SchemaReadOptions = strict
  ): Unit = test(name) {
    val schema = Schemas.untracked(read, version = 5, allows)
    def at(version: Long) = fate(judged(schema, Commit(version, metadata = Some(written))))
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

  check("the same once more", table(id), table(id), Unnoticed, Unnoticed)
  check(
    "a table property, a description",
    table(id),
    table(id).copy(configuration = Map("a" -> "b"), description = "new"),
    Unnoticed,
    Unnoticed
  )
  check("a comment on a column", table(id), table(column("comment", "new")), Unnoticed, Unnoticed)
  check("a default for rows to come", table(id), table(column("CURRENT_DEFAULT", "7")), Unnoticed, Unnoticed)
  check(
    "the high-water mark of an identity column",
    table(id),
    table(column("delta.identity.highWaterMark", "7")),
    Unnoticed,
    Unnoticed)
  check("a column more", table(id), table(named), Restart, End)
  check("a column less", table(named), table(id), Unnoticed, Unnoticed)
  check("a column that becomes nullable", table(required), table(id), Restart, End)
  check("a column that may be null no more", table(id), table(required), Unnoticed, Unnoticed)
  check("a column of another type", typed(LongType), typed(StringType), End, End)
  check("a wider column", typed(IntegerType), typed(LongType), End, End)
  check(
    "a wider column, widening supported",
    typed(IntegerType),
    typed(LongType),
    Restart,
    End,
    strict.copy(typeWideningEnabled = true)
  )
  check(
    "a wider column that must be tracked",
    typed(IntegerType),
    typed(LongType),
    Track,
    End,
    strict.copy(typeWideningEnabled = true, enableSchemaTrackingForTypeWidening = true)
  )
  check("other partitioning", table(id), table(id).copy(partitionColumns = Seq("id")), Restart, End)
  check(
    "other partitioning, allowed",
    table(id),
    table(id).copy(partitionColumns = Seq("id")),
    Unnoticed,
    Unnoticed,
    strict.copy(allowUnsafeStreamingReadOnPartitionColumnChanges = true)
  )
  private val mapping = strict.copy(isStreamingFromColumnMappingTable = true)
  check("a mapped column more", mapped("a" -> 1), mapped("a" -> 1, "b" -> 2), Restart, Track, mapping)
  check("a renamed column", mapped("a" -> 1), mapped("b" -> 1), Track, Track, mapping)
  check("a dropped column", mapped("a" -> 1, "b" -> 2), mapped("a" -> 1), Track, Unnoticed, mapping)
  check(
    "a renamed column, allowed",
    mapped("a" -> 1),
    mapped("b" -> 1),
    End,
    Unnoticed,
    mapping.copy(allowUnsafeStreamingReadOnColumnMappingSchemaChanges = true)
  )

  private val schema = Schemas.untracked(table(id), version = 5)

  test("another table is told apart, by both ids") {
    val other = Commit(6, metadata = Some(table(id).copy(id = "other")))
    assert(judged(schema, other).contains(OtherTable("other", "id")))
  }

  test("a protocol is no matter of the schema") {
    assert(judged(schema, Commit(6, protocol = Some(Protocol(3, 7)))).isEmpty)
  }

  test("a commit whose files are in a manifest is not read yet") {
    val found = judged(schema, Commit(6, manifest = true))
    assert(found.contains(UnsupportedFeature(Feature.ManifestCommits, "version 6")))
  }

  test("where a run starts, another schema is a change unless that is allowed") {
    val unsafe = strict.copy(forceEnableStreamingReadOnReadIncompatibleSchemaChangesDuringStreamStart = true)
    val allowing = Schemas.untracked(table(id), version = 5, unsafe)
    val text = typed(StringType)
    assert(fate(schema.checkStart(2, Right(TableSchema(text, Protocol(1, 2))))) == End)
    assert(allowing.checkStart(2, Right(TableSchema(text, Protocol(1, 2)))).isEmpty)
    // The batch that was planned there is read all the same, and its commits are judged as any others.
    for (starting <- Seq(true, false))
      assert(fate(judged(allowing, Commit(6, metadata = Some(text)), starting)) == End)
  }

  test("a schema that cannot be told matters under column mapping only") {
    val lost = new NoSuchElementException
    assert(schema.checkStart(2, Left(lost)).isEmpty)
    val found = Schemas.untracked(mapped("a" -> 1), version = 5, mapping).checkStart(2, Left(lost))
    assert(found.contains(Problem.NoStartSchema(lost)))
  }

  test("M6: and not where the user takes the risk") {
    val unsafe = mapping.copy(allowUnsafeStreamingReadOnColumnMappingSchemaChanges = true)
    val risky = Schemas.untracked(mapped("a" -> 1), version = 5, unsafe)
    assert(risky.checkStart(2, Left(new NoSuchElementException)).isEmpty)
  }

  test("M7: a widened column needs tracking where a conf says so, whatever is allowed of column mapping") {
    val widening = strict.copy(
      typeWideningEnabled = true,
      enableSchemaTrackingForTypeWidening = true,
      allowUnsafeStreamingReadOnColumnMappingSchemaChanges = true)
    val narrow = Schemas.untracked(typed(IntegerType), version = 5, widening)
    assert(fate(judged(narrow, Commit(6, metadata = Some(typed(LongType))))) == Track)
  }
}
