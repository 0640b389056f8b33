// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.delta.DeltaColumnMapping
import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.schema.SchemaUtils
import org.apache.spark.sql.delta.sources.PersistedMetadata
import org.apache.spark.sql.delta.stream.model.{MetadataAndProtocol, Position, Problem}

/** The log of the schemas that a stream has used: Delta's own schema log, or an in-memory log in tests. */
private[schema] trait SchemaLog {

  /** The latest entry, if there is one. */
  def current: Option[PersistedMetadata]

  /** Appends an entry, or replaces the latest one. Fails if another stream has meanwhile written one. */
  def add(entry: PersistedMetadata, replacing: Boolean): Unit
}

/**
 * Writes the schema log. Each schema change of the table gets an entry, and the run that reaches the change
 * then ends, because the engine must analyze the query again (docs/internals/design/0008-schema-tracking.md).
 *
 * The methods return `Problem.SchemaEvolved` if they wrote an entry that differs from the schema the query
 * was analyzed with: the run must end.
 *
 * @param analyzed     the schema the query was analyzed with: the log's latest entry, or the table's schema
 *                     if the log is empty
 * @param isChange     see [[TrackedSchemaPolicy]]
 * @param metadataPath the source's own folder in the checkpoint
 */
private[stream] final class SchemaTracker(
    log: SchemaLog,
    analyzed: MetadataAndProtocol,
    isChange: (Option[Metadata], Option[Protocol], Long) => Boolean,
    metadataPath: String
) {

  def isEmpty: Boolean = log.current.isEmpty

  /**
   * Makes sure that the log of a new stream starts with the schema at the stream's start version. Writes the
   * first entry, or replaces an entry that is older than the stream's initial snapshot.
   *
   * @param origin where the stream starts
   * @param table  returns the schema of the table at a version
   */
  def begin(origin: Position, table: Long => MetadataAndProtocol): Option[Problem] =
    log.current match {
      case None => write(origin.version, table(origin.version), replacing = false)
      case Some(entry) if origin.inSnapshot && entry.deltaCommitVersion < origin.version =>
        val moved = table(origin.version)
        if (differs(origin.version, moved)) write(origin.version, moved, replacing = true) else None
      case Some(_) => None
    }

  /**
   * Writes the first entry for a stream that resumes from a checkpoint and did not track schemas before. One
   * schema must be able to read the whole range that was planned; returns `Problem.NoCommonSchema` if there
   * is none.
   *
   * @param from    the first version of the range
   * @param last    the last version of the range
   * @param start   the schema at the start of the range
   * @param changed the metadata and protocol actions of each commit in the range
   */
  def initialize(
      from: Long,
      last: Long,
      start: MetadataAndProtocol,
      changed: Seq[(Option[Metadata], Option[Protocol])]): Option[Problem] =
    SchemaTracker.commonSchema(start, changed) match {
      case Some(schema) => write(last, schema, replacing = false)
      case None => Some(Problem.NoCommonSchema(from, last))
    }

  /** Writes an entry if the actions of this version change the schema of the stream. */
  def evolve(version: Long, metadata: Option[Metadata], protocol: Option[Protocol]): Option[Problem] =
    Option.when(isChange(metadata, protocol, version)) {
      val next =
        MetadataAndProtocol(metadata.getOrElse(analyzed.metadata), protocol.getOrElse(analyzed.protocol))
      add(version, next, replacing = false)
      Problem.SchemaEvolved(next.metadata, next.protocol)
    }

  private def write(version: Long, schema: MetadataAndProtocol, replacing: Boolean): Option[Problem] = {
    // Compare before adding the entry: after that the log has an entry of this version, and nothing differs.
    val changed = differs(version, schema)
    add(version, schema, replacing)
    Option.when(changed)(Problem.SchemaEvolved(schema.metadata, schema.protocol))
  }

  private def differs(version: Long, schema: MetadataAndProtocol): Boolean =
    isChange(Some(schema.metadata), Some(schema.protocol), version)

  private def add(version: Long, schema: MetadataAndProtocol, replacing: Boolean): Unit =
    log.add(
      PersistedMetadata(analyzed.metadata.id, version, schema.metadata, schema.protocol, metadataPath),
      replacing
    )
}

private[stream] object SchemaTracker {

  /**
   * Returns the latest schema of a range, with the protocol that includes the features of all others. Returns
   * None if the latest schema cannot read all files of the range, or if there is no such protocol.
   */
  private def commonSchema(
      start: MetadataAndProtocol,
      changed: Seq[(Option[Metadata], Option[Protocol])]
  ): Option[MetadataAndProtocol] = {
    val schemas = start.metadata +: changed.flatMap(_._1)
    val latest = schemas.last
    val protocol = changed.flatMap(_._2).foldLeft(Option(start.protocol)) { (widest, next) =>
      widest.filter(_.readerAndWriterFeatureNames.subsetOf(next.readerAndWriterFeatureNames)).map(_ => next)
    }
    protocol.filter(_ => schemas.forall(canRead(latest, _))).map(MetadataAndProtocol(latest, _))
  }

  private def canRead(latest: Metadata, older: Metadata): Boolean =
    DeltaColumnMapping.hasNoColumnMappingSchemaChanges(latest, older) &&
      SchemaUtils.isReadCompatible(older.schema, latest.schema, forbidTightenNullability = true)
}
