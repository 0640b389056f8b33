// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.stream.plan.{Commit, Problem}

/**
 * A stream that keeps a log of the schemas it has come through. It reads everything up to a change of schema,
 * partitioning, Delta's properties or protocol with the one it has, and stops in front of it
 * (docs/design/0008-schema-tracking.md).
 *
 * @param changes whether metadata or protocol of a version differ, in Delta's eyes, from what the stream has
 */
final case class TrackedSchema(
    metadata: Metadata,
    changes: (Option[Metadata], Option[Protocol], Long) => Boolean
) extends StreamSchema {

  /** A lost commit could have held a change of schema. */
  override val toleratesLosses: Boolean = false

  override def judge(commit: Commit, starting: Boolean): SchemaVerdict =
    commit.metadata.filter(_.id != metadata.id) match {
      case Some(other) => SchemaVerdict.Refuse(Problem.OtherTable(other.id, metadata.id))
      case None if changes(commit.metadata, commit.protocol, commit.version) => SchemaVerdict.Evolve
      case None => UntrackedSchema.readable(commit)
    }

  /** The entry that the stream has is that of its place. */
  override def judgeStart(version: Long, found: Either[Throwable, TableSchema]): Option[Problem] = None
}
