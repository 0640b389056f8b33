// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.types

import org.apache.spark.sql.delta.ColumnWithDefaultExprUtils
import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.schema.SchemaMergingUtils
import org.apache.spark.sql.delta.stream.plan.Problem.Feature
import org.apache.spark.sql.delta.stream.plan.{Commit, Problem}

/**
 * The table as the stream's plan was analysed with. A commit may repeat it, or change what does not concern a reader
 * (properties, comments of the table, writer features); anything else the stream does not follow yet.
 */
final case class StreamSchema(metadata: Metadata, protocol: Protocol) {

  def judge(commit: Commit): Option[Problem] = {
    val where = s"version ${commit.version}"
    commit.metadata
      .flatMap(judge(_, where))
      .orElse(commit.protocol.filterNot(readsLike).map(_ => Problem.NotYet(Feature.SchemaChange, where)))
      .orElse(Option.when(commit.manifest)(Problem.NotYet(Feature.ManifestCommits, where)))
  }

  /** Whether a stream analysed with this may read files written under that metadata. */
  def judge(other: Metadata, where: String): Option[Problem] =
    if (other.id != metadata.id) Some(Problem.OtherTable(other.id))
    else if (StreamSchema.readable(other) == StreamSchema.readable(metadata)) None
    else Some(Problem.NotYet(Feature.SchemaChange, where))

  private def readsLike(other: Protocol): Boolean =
    other.minReaderVersion == protocol.minReaderVersion &&
      other.readerFeatureNames == protocol.readerFeatureNames
}

object StreamSchema {

  /** What of a table's metadata decides how its files are read. */
  private def readable(metadata: Metadata) = (
    SchemaMergingUtils.transformColumns(ColumnWithDefaultExprUtils.removeDefaultExpressions(metadata.schema)) {
      (_, field, _) => field.copy(metadata = withoutWriters(field.metadata))
    },
    metadata.partitionColumns,
    metadata.columnMappingMode
  )

  /** What a field says to writers and to people: its default from now on, its comment. */
  private def withoutWriters(field: types.Metadata): types.Metadata =
    new types.MetadataBuilder().withMetadata(field).remove("CURRENT_DEFAULT").remove("comment").build()
}
