// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.commands.cdc.CDCReader
import org.apache.spark.sql.delta.sources.DeltaStreamUtils
import org.apache.spark.sql.delta.sources.DeltaStreamUtils.{SchemaCompatibilityResult, SchemaReadOptions}
import org.apache.spark.sql.delta.stream.plan.Problem.Feature
import org.apache.spark.sql.delta.stream.plan.{Commit, Problem}
import org.apache.spark.sql.delta.{DeltaColumnMapping, TypeWidening}

/**
 * A stream that reads everything with one schema, that of the table when the query was analysed. A commit may repeat
 * it, or change what does not concern a reader; what a restart would bring is a change to restart from; anything else
 * ends the stream. Files older than the analysed table are read with its schema too, if they can be.
 *
 * @param version    the version the table was analysed at
 * @param readSchema the stream's columns
 * @param allows     the confs that relax the comparison
 */
final case class UntrackedSchema(
    metadata: Metadata,
    version: Long,
    readSchema: StructType,
    allows: SchemaReadOptions,
    changeFeed: Boolean,
    startOption: Boolean
) extends StreamSchema {

  override val toleratesLosses: Boolean = true

  /** Where a run resumes a commit is judged twice: the conf about starts leaves only the first comparison out. */
  override def judge(commit: Commit, starting: Boolean): SchemaVerdict =
    commit.metadata.flatMap { written =>
      val atStart = if (starting) compare(commit.version, written, starting) else None
      atStart.orElse(compare(commit.version, written, starting = false))
    } match {
      case Some(problem) => SchemaVerdict.Refuse(problem)
      case None => UntrackedSchema.readable(commit)
    }

  /**
   * What cannot be rebuilt cannot be compared. Under column mapping that is too little to go on with, unless the user
   * takes the risk.
   */
  override def judgeStart(version: Long, found: Either[Throwable, TableSchema]): Option[Problem] =
    found match {
      case Right(before) => compare(version, before.metadata, starting = true)
      case Left(cause) =>
        Option.when(
          allows.isStreamingFromColumnMappingTable &&
            !allows.allowUnsafeStreamingReadOnColumnMappingSchemaChanges
        )(Problem.NoStartSchema(cause))
    }

  private def compare(version: Long, other: Metadata, starting: Boolean): Option[Problem] = {
    val backfilling = version < this.version
    val (older, newer) = if (backfilling) (other, metadata) else (metadata, other)
    if (older.id != newer.id) Some(Problem.OtherTable(newer.id, older.id))
    else if (needsTracking(older, newer))
      Some(Problem.NonAdditiveChange(older.schema, newer.schema, detectedDuringStreaming = !starting))
    else if (starting && allows.forceEnableStreamingReadOnReadIncompatibleSchemaChangesDuringStreamStart) None
    else unreadable(version, other, older, newer, backfilling)
  }

  /** Renamed, dropped and, if so configured, widened columns: only tracking can say which file has which. */
  private def needsTracking(older: Metadata, newer: Metadata): Boolean =
    isMapped(older, newer) || allows.enableSchemaTrackingForTypeWidening && allows.typeWideningEnabled &&
      TypeWidening.containsWideningTypeChanges(older.schema, newer.schema)

  private def isMapped(older: Metadata, newer: Metadata): Boolean =
    !allows.allowUnsafeStreamingReadOnColumnMappingSchemaChanges &&
      !DeltaColumnMapping.hasNoColumnMappingSchemaChanges(
        newer,
        older,
        allows.allowUnsafeStreamingReadOnPartitionColumnChanges
      )

  private def unreadable(
      version: Long,
      other: Metadata,
      older: Metadata,
      newer: Metadata,
      backfilling: Boolean
  ): Option[Problem] = {
    val written = if (changeFeed) CDCReader.cdcReadSchema(other.schema) else other.schema
    def partitions(of: Metadata) =
      if (allows.allowUnsafeStreamingReadOnPartitionColumnChanges) Nil else of.partitionColumns
    val found = DeltaStreamUtils.checkSchemaChangesWhenNoSchemaTracking(
      written,
      readSchema,
      partitions(newer),
      partitions(older),
      backfilling,
      allows
    )
    Option.unless(SchemaCompatibilityResult.isCompatible(found)) {
      val retryable = SchemaCompatibilityResult.isRetryableIncompatible(found)
      Problem.SchemaChanged(version, readSchema, written, retryable, startOption)
    }
  }
}

object UntrackedSchema {

  /** Whether the files of a commit can be read at all. */
  private[schema] def readable(commit: Commit): SchemaVerdict = SchemaVerdict.of(
    Option.when(commit.manifest)(Problem.NotYet(Feature.ManifestCommits, s"version ${commit.version}"))
  )
}
