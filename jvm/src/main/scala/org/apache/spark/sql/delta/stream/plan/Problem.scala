// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}

/** Why a stream cannot go on. Values, so that pure code can find them; `StreamErrors` makes exceptions of them. */
sealed abstract class Problem

object Problem {

  /** A commit removed data and added none. */
  final case class DeletedData(version: Long, removed: String) extends Problem

  /** A commit removed data and added other data; `change` is its operation or a removed path. */
  final case class ChangedData(version: Long, change: String) extends Problem

  /** Something the connector does not read yet. */
  final case class NotYet(feature: Feature, where: String) extends Problem

  /** The table at this place is no longer the one the stream began with. */
  final case class OtherTable(newId: String, oldId: String) extends Problem

  /** A commit changed the schema in a way that a stream with one schema cannot follow; perhaps a restarted one can. */
  final case class SchemaChanged(
      version: Long,
      read: StructType,
      written: StructType,
      retryable: Boolean,
      startOption: Boolean
  ) extends Problem

  /** Columns were renamed or dropped: only a stream that tracks schemas goes past that. */
  final case class NonAdditiveChange(older: StructType, newer: StructType, detectedDuringStreaming: Boolean)
      extends Problem

  /** A new schema is in the log of schemas: the query must be analysed with it. */
  final case class SchemaEvolved(metadata: Metadata, protocol: Protocol) extends Problem

  /** Schemas are to be tracked, and commits that may hold changes of them may be lost. */
  case object UntrackableLosses extends Problem

  /** No one schema reads everything that was planned before schemas were tracked. */
  final case class NoCommonSchema(from: Long, to: Long) extends Problem

  /** The schema at the version where the stream starts cannot be told, and must be compared. */
  final case class NoStartSchema(cause: Throwable) extends Problem

  /** The stream has read more than the table has. */
  final case class BeyondTable(read: Long, latest: Long) extends Problem

  /** A commit that cannot be read, or asks for more than this reader knows; `error` says so with its own condition. */
  final case class Unreadable(error: Throwable) extends Problem

  /** Commits that must be there are not. */
  final case class MissingCommits(expected: Long, found: Long) extends Problem

  /** The newest commits a planned batch reads have gone again. */
  final case class MissingTrailingCommit(expected: Long, seen: Long) extends Problem

  /** A batch of a change feed begins at a version that kept none. */
  final case class NoChangeFeed(start: Long, end: Long) extends Problem

  /** A commit that was read has been replaced by another file of the same name. */
  final case class ReplacedCommit(version: Long, path: String) extends Problem

  /** What the connector names when it is not served yet. */
  sealed abstract class Feature(val name: String)
  object Feature {
    case object ManifestCommits extends Feature("commits whose files are listed in a manifest")
  }
}
