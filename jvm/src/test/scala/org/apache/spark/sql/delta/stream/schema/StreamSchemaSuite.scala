// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.types.{LongType, MetadataBuilder, StringType, StructType}

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.stream.plan.Problem.{Feature, NotYet, OtherTable}
import org.apache.spark.sql.delta.stream.plan.{Commit, Problem}
import org.scalatest.funsuite.AnyFunSuite

class StreamSchemaSuite extends AnyFunSuite {
  private val columns = new StructType().add("id", LongType)
  private val metadata = Metadata(id = "id", schemaString = columns.json)
  private val protocol = Protocol(1, 2)
  private val schema = StreamSchema(metadata, protocol)
  private val change = Some(NotYet(Feature.SchemaChange, "version 5"))

  private def check(name: String, commit: Commit, expected: Option[Problem]): Unit =
    test(name)(assert(schema.judge(commit) == expected))

  private def identity(highWaterMark: Long) = {
    val written = new MetadataBuilder()
      .putLong("delta.identity.start", 1)
      .putLong("delta.identity.step", 1)
      .putBoolean("delta.identity.allowExplicitInsert", true)
      .putLong("delta.identity.highWaterMark", highWaterMark)
    withSchema(new StructType().add("id", LongType, nullable = true, written.build()))
  }

  private def withSchema(columns: StructType) =
    Commit(5, metadata = Some(metadata.copy(schemaString = columns.json)))

  check("the same metadata once more changes nothing", Commit(5, metadata = Some(metadata)), None)
  check(
    "a table property changes nothing for a reader",
    Commit(5, metadata = Some(metadata.copy(configuration = Map("a" -> "b"), description = "new"))),
    None
  )
  check("a new column is a change", withSchema(columns.add("name", StringType)), change)
  check(
    "a tighter column is a change",
    withSchema(new StructType().add("id", LongType, nullable = false)),
    change
  )
  check(
    "other partitioning is a change",
    Commit(5, metadata = Some(metadata.copy(partitionColumns = Seq("id")))),
    change
  )
  check(
    "another mode of column mapping is a change",
    Commit(5, metadata = Some(metadata.copy(configuration = Map("delta.columnMapping.mode" -> "name")))),
    change
  )
  check(
    "a comment on a column is none",
    withSchema(new StructType().add("id", LongType, nullable = true, comment = "new")),
    None
  )
  check(
    "a default for rows to come is none",
    withSchema(new StructType().add(
      "id",
      LongType,
      nullable = true,
      new MetadataBuilder().putString("CURRENT_DEFAULT", "7").build()
    )),
    None
  )
  check("a column that becomes an identity column reads as before", identity(1), None)
  check(
    "the high-water mark of an identity column is none",
    identity(7),
    None
  )
  check(
    "the metadata of another table is told apart",
    Commit(5, metadata = Some(metadata.copy(id = "other"))),
    Some(OtherTable("other"))
  )
  check(
    "a protocol that asks the same of readers changes nothing",
    Commit(5, protocol = Some(Protocol(1, 4))),
    None
  )
  check(
    "a protocol that asks more of readers is a change",
    Commit(5, protocol = Some(Protocol(2, 5))),
    change
  )
  check(
    "a commit whose files are in a manifest is not read yet",
    Commit(5, manifest = true),
    Some(NotYet(Feature.ManifestCommits, "version 5"))
  )
}
