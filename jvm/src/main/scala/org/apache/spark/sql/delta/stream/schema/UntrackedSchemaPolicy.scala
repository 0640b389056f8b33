// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.commands.cdc.CDCReader
import org.apache.spark.sql.delta.sources.DeltaStreamUtils
import org.apache.spark.sql.delta.sources.DeltaStreamUtils.{SchemaCompatibilityResult, SchemaReadOptions}
import org.apache.spark.sql.delta.stream.model.Problem.Feature
import org.apache.spark.sql.delta.stream.model.{Commit, MetadataAndProtocol, Problem}
import org.apache.spark.sql.delta.{DeltaColumnMapping, TypeWidening}

/**
 * Decides for a stream without schema tracking. The stream reads everything with one schema: that of the
 * table when the query was analyzed. A commit may repeat this schema, or change what does not affect a
 * reader. If a restart would resolve a change, the error is retryable; any other change fails the stream for
 * good. Files older than the analyzed table are read with its schema too, if that is possible.
 *
 * @param metadata       the table's metadata when the query was analyzed
 * @param version        the table version at which the query was analyzed
 * @param readSchema     the columns of the stream
 * @param readsEntry     true if `readSchema` is an entry of the schema log, under Delta's conf for unsafe reads
 *                       after column mapping changes: it may be older than the schema in `metadata`
 * @param readOptions    Delta's options that relax the comparison
 * @param changeFeed     true for a change feed, which has three more columns
 * @param hasStartOption the user set a start option, which Delta's message for a schema change then mentions
 */
private[delta] final case class UntrackedSchemaPolicy(
    metadata: Metadata,
    version: Long,
    readSchema: StructType,
    readsEntry: Boolean,
    readOptions: SchemaReadOptions,
    changeFeed: Boolean,
    hasStartOption: Boolean
) extends SchemaChangePolicy {

  override val toleratesDataLoss: Boolean = true

  /**
   * Compares a commit twice if it was planned before this run started: Delta's conf for schema checks at
   * stream start turns off only the first comparison.
   */
  override def decide(commit: Commit, isReplay: Boolean): SchemaDecision =
    commit.metadata.flatMap { written =>
      val atStart = if (isReplay) compare(commit.version, written, atStreamStart = true) else None
      atStart.orElse(compare(commit.version, written, atStreamStart = false))
    } match {
      case Some(problem) => SchemaDecision.Fail(problem)
      case None => UntrackedSchemaPolicy.checkReadable(commit)
    }

  /** The schema at `version` is that of the stream, unless the stream reads with an entry of the schema log. */
  override def mustCheckStart(start: Long): Boolean =
    if (readsEntry) start <= version else start < version

  /** The commit right after `version` is the first that a batch reads, unless the stream reads with an entry. */
  override def mustCheckLaterStart(start: Long): Boolean = start > (if (readsEntry) version else version + 1)

  /**
   * Compares the schema at the start version, if it can be reconstructed. If it cannot, a stream over a table
   * with column mapping fails, unless the user has allowed unsafe reads.
   */
  override def checkStart(version: Long, found: Either[Throwable, MetadataAndProtocol]): Option[Problem] =
    found match {
      case Right(before) => compare(version, before.metadata, atStreamStart = true)
      case Left(cause) =>
        Option.when(
          readOptions.isStreamingFromColumnMappingTable &&
            !readOptions.allowUnsafeStreamingReadOnColumnMappingSchemaChanges
        )(Problem.NoStartSchema(cause))
    }

  private def compare(version: Long, other: Metadata, atStreamStart: Boolean): Option[Problem] = {
    val backfilling = version < this.version
    val (older, newer) = if (backfilling) (other, metadata) else (metadata, other)
    if (older.id != newer.id) Some(Problem.OtherTable(newer.id, older.id))
    else if (needsTracking(older, newer))
      Some(Problem.NonAdditiveChange(older.schema, newer.schema, detectedDuringStreaming = !atStreamStart))
    else if (atStreamStart &&
      readOptions.forceEnableStreamingReadOnReadIncompatibleSchemaChangesDuringStreamStart) None
    else incompatibility(version, other, older, newer, backfilling)
  }

  /**
   * Returns true for renamed and dropped columns, and for widened ones if so configured: only schema tracking
   * knows which file has which schema.
   */
  private def needsTracking(older: Metadata, newer: Metadata): Boolean =
    hasColumnMappingChange(older, newer) ||
      readOptions.enableSchemaTrackingForTypeWidening && readOptions.typeWideningEnabled &&
      TypeWidening.containsWideningTypeChanges(older.schema, newer.schema)

  private def hasColumnMappingChange(older: Metadata, newer: Metadata): Boolean =
    !readOptions.allowUnsafeStreamingReadOnColumnMappingSchemaChanges &&
      !DeltaColumnMapping.hasNoColumnMappingSchemaChanges(
        newer,
        older,
        readOptions.allowUnsafeStreamingReadOnPartitionColumnChanges
      )

  /** Returns a problem if the two schemas are not read-compatible. */
  private def incompatibility(
      version: Long,
      other: Metadata,
      older: Metadata,
      newer: Metadata,
      backfilling: Boolean
  ): Option[Problem] = {
    val written = if (changeFeed) CDCReader.cdcReadSchema(other.schema) else other.schema
    def partitions(of: Metadata) =
      if (readOptions.allowUnsafeStreamingReadOnPartitionColumnChanges) Nil else of.partitionColumns
    val found = DeltaStreamUtils.checkSchemaChangesWhenNoSchemaTracking(
      written,
      readSchema,
      partitions(newer),
      partitions(older),
      backfilling,
      readOptions
    )
    Option.unless(SchemaCompatibilityResult.isCompatible(found)) {
      val retryable = SchemaCompatibilityResult.isRetryableIncompatible(found)
      Problem.SchemaChanged(version, readSchema, written, retryable, hasStartOption)
    }
  }
}

private[delta] object UntrackedSchemaPolicy {

  /** Refuses a commit whose files this reader cannot read. */
  private[schema] def checkReadable(commit: Commit): SchemaDecision = SchemaDecision.of(
    Option.when(commit.hasManifest) {
      Problem.UnsupportedFeature(Feature.ManifestCommits, s"version ${commit.version}")
    }
  )
}
