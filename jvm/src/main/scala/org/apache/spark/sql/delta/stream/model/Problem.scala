// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}

/**
 * A reason why a stream cannot continue. Problems are values so that pure code can return them;
 * [[StreamErrors]] converts them to exceptions.
 */
private[stream] sealed abstract class Problem

private[stream] object Problem {

  /** A commit removed data and added none. `removed` is the path of the first removed file. */
  final case class DeletedData(version: Long, removed: String) extends Problem

  /** A commit removed data and added other data. `change` is its operation, or the path of a removed file. */
  final case class ChangedData(version: Long, change: String) extends Problem

  /** The table or the query needs a feature that the connector does not support yet. */
  final case class UnsupportedFeature(feature: Feature, where: String) extends Problem

  /** The table at this path is not the table that the stream started with. */
  final case class OtherTable(newId: String, oldId: String) extends Problem

  /**
   * A commit changed the schema in a way that a stream with a fixed schema cannot follow.
   *
   * @param read           the schema that the stream reads with
   * @param written        the schema that the commit wrote
   * @param retryable      true if restarting the query resolves it
   * @param hasStartOption true if the user set a start option, which Delta's message then mentions
   */
  final case class SchemaChanged(
      version: Long,
      read: StructType,
      written: StructType,
      retryable: Boolean,
      hasStartOption: Boolean
  ) extends Problem

  /** Columns were renamed or dropped: only a stream with schema tracking can continue after that. */
  final case class NonAdditiveChange(older: StructType, newer: StructType, detectedDuringStreaming: Boolean)
      extends Problem

  /** A new schema was added to the schema log: the query must be analyzed again with it. */
  final case class SchemaEvolved(metadata: Metadata, protocol: Protocol) extends Problem

  /** Schema tracking is on, but failOnDataLoss is false: a lost commit could contain a schema change. */
  case object DataLossNotAllowedWithTracking extends Problem

  /** No single schema can read everything that was planned before schema tracking was turned on. */
  final case class NoCommonSchema(from: Long, to: Long) extends Problem

  /** The schema at the start version is needed for a comparison and cannot be determined. */
  final case class NoStartSchema(cause: Throwable) extends Problem

  /** The stream has read version `read`, but the table's latest version is `latest`. */
  final case class OffsetBeyondTable(read: Long, latest: Long) extends Problem

  /** A commit cannot be read, or needs a newer reader. `error` already has its own error condition. */
  final case class Unreadable(error: Throwable) extends Problem

  /**
   * Commits are missing from the log: version `expected` was expected, version `found` is the next one there. If
   * there is a commit before them (`isPreceded`), cleanup has not deleted them: it begins with the oldest.
   */
  final case class MissingCommits(expected: Long, found: Long, isPreceded: Boolean) extends Problem

  /** The latest commits of a planned batch are no longer in the log; the latest one found is `seen`. */
  final case class MissingTrailingCommit(expected: Long, seen: Long) extends Problem

  /** A batch of a change feed starts at a version at which the table did not record changes. */
  final case class NoChangeFeed(start: Long, end: Long) extends Problem

  /** A commit file that was read has since been replaced by another file of the same name. */
  final case class ReplacedCommit(version: Long, path: String) extends Problem

  /** A feature that is not supported yet; `name` appears in the error message. */
  sealed abstract class Feature(val name: String)
  object Feature {
    case object ManifestCommits extends Feature("commits whose files are listed in a manifest")
  }
}
