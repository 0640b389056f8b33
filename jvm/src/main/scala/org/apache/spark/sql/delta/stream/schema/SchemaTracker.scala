// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.delta.DeltaColumnMapping
import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.schema.SchemaUtils
import org.apache.spark.sql.delta.sources.PersistedMetadata
import org.apache.spark.sql.delta.stream.plan.{Position, Problem}

/** The schemas that a stream has come through: Delta's own log, or one in memory in tests. */
trait SchemaLog {

  def current: Option[PersistedMetadata]

  /** Fails if another stream has written an entry meanwhile. */
  def add(entry: PersistedMetadata, replacing: Boolean): Unit
}

/**
 * Keeps the log of schemas: each change of the table gets an entry, and the run that comes to it ends then, for the
 * engine must analyse the query anew (docs/design/0008-schema-tracking.md).
 *
 * @param analysed     what the stream was analysed with: the log's newest entry, or without one the table as it is
 * @param changes      see [[TrackedSchema]]
 * @param metadataPath the source's own folder under the checkpoint
 */
final class SchemaTracker(
    log: SchemaLog,
    analysed: TableSchema,
    changes: (Option[Metadata], Option[Protocol], Long) => Boolean,
    metadataPath: String
) {

  def isEmpty: Boolean = log.current.isEmpty

  /** A new stream begins there: the log begins with the schema of that version, and so must the stream. */
  def begin(origin: Position, table: Long => TableSchema): Option[Problem] =
    log.current match {
      case None => write(origin.version, table(origin.version), replacing = false)
      case Some(entry) if origin.inSnapshot && entry.deltaCommitVersion < origin.version =>
        val moved = table(origin.version)
        if (differs(origin.version, moved)) write(origin.version, moved, replacing = true) else None
      case Some(_) => None
    }

  /**
   * A stream that kept no log so far resumes: one schema must do for the whole range that was planned.
   *
   * @param changed what each commit of the range says of metadata and protocol
   */
  def adopt(
      from: Long,
      last: Long,
      start: TableSchema,
      changed: Seq[(Option[Metadata], Option[Protocol])]): Option[Problem] =
    SchemaTracker.common(start, changed) match {
      case Some(schema) => write(last, schema, replacing = false)
      case None => Some(Problem.NoCommonSchema(from, last))
    }

  /** The stream has come to a change at this version. */
  def evolve(version: Long, metadata: Option[Metadata], protocol: Option[Protocol]): Option[Problem] =
    Option.when(changes(metadata, protocol, version)) {
      val next =
        TableSchema(metadata.getOrElse(analysed.metadata), protocol.getOrElse(analysed.protocol))
      add(version, next, replacing = false)
      Problem.SchemaEvolved(next.metadata, next.protocol)
    }

  private def write(version: Long, schema: TableSchema, replacing: Boolean): Option[Problem] = {
    // Compared with what the stream was analysed with: afterwards the log has an entry of that version.
    val changed = differs(version, schema)
    add(version, schema, replacing)
    Option.when(changed)(Problem.SchemaEvolved(schema.metadata, schema.protocol))
  }

  private def differs(version: Long, schema: TableSchema): Boolean =
    changes(Some(schema.metadata), Some(schema.protocol), version)

  private def add(version: Long, schema: TableSchema, replacing: Boolean): Unit =
    log.add(
      PersistedMetadata(analysed.metadata.id, version, schema.metadata, schema.protocol, metadataPath),
      replacing
    )
}

object SchemaTracker {

  /** The newest schema of a range if all its files can be read with that, and the protocol that asks for most. */
  private def common(
      start: TableSchema,
      changed: Seq[(Option[Metadata], Option[Protocol])]
  ): Option[TableSchema] = {
    val schemas = start.metadata +: changed.flatMap(_._1)
    val newest = schemas.last
    val protocol = changed.flatMap(_._2).foldLeft(Option(start.protocol)) { (most, next) =>
      most.filter(_.readerAndWriterFeatureNames.subsetOf(next.readerAndWriterFeatureNames)).map(_ => next)
    }
    protocol.filter(_ => schemas.forall(reads(newest, _))).map(TableSchema(newest, _))
  }

  private def reads(newest: Metadata, older: Metadata): Boolean =
    DeltaColumnMapping.hasNoColumnMappingSchemaChanges(newest, older) &&
      SchemaUtils.isReadCompatible(older.schema, newest.schema, forbidTightenNullability = true)
}
