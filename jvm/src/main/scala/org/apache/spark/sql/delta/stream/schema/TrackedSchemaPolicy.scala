// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.stream.model.{Commit, MetadataAndProtocol, Problem}

/**
 * Decides for a stream with schema tracking. The stream uses its schema up to the next change of schema,
 * partitioning, Delta table properties or protocol, and stops before that change
 * (docs/internals/design/0008-schema-tracking.md).
 *
 * @param metadata the metadata that the query was analyzed with
 * @param isChange whether Delta considers the metadata or protocol of a version different from those of the
 *                 stream
 */
private[schema] final case class TrackedSchemaPolicy(
    metadata: Metadata,
    isChange: (Option[Metadata], Option[Protocol], Long) => Boolean
) extends SchemaChangePolicy {

  /** A missing commit could have contained a schema change. */
  override val toleratesDataLoss: Boolean = false

  override def decide(commit: Commit, isReplay: Boolean): SchemaDecision =
    commit.metadata.filter(_.id != metadata.id) match {
      case Some(other) => SchemaDecision.Fail(Problem.OtherTable(other.id, metadata.id))
      case None if isChange(commit.metadata, commit.protocol, commit.version) => SchemaDecision.Evolve
      case None => UntrackedSchemaPolicy.checkReadable(commit)
    }

  /** The latest entry of the schema log is the schema at the stream's position. */
  override def mustCheckStart(version: Long): Boolean = false

  override def mustCheckLaterStart(version: Long): Boolean = false

  override def checkStart(version: Long, found: Either[Throwable, MetadataAndProtocol]): Option[Problem] =
    None
}
