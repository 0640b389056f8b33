// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.model.{Commit, MetadataAndProtocol, Problem}

/** Decides what schema changes mean for a stream, given the schema its query was analyzed with. Pure. */
private[stream] trait SchemaChangePolicy {

  /** The table's metadata when the query was analyzed. */
  def metadata: Metadata

  /** True if the stream may skip commits that are missing from the log. */
  def toleratesDataLoss: Boolean

  /**
   * Decides what a commit means for the stream, based on its metadata and protocol actions.
   *
   * @param isReplay true if the commit belongs to a range that was planned before this run started
   */
  def decide(commit: Commit, isReplay: Boolean): SchemaDecision

  /**
   * Returns true if the table may have another schema at this version than the stream, so that a run that
   * starts there must compare them with [[checkStart]].
   */
  def mustCheckStart(version: Long): Boolean

  /**
   * Like [[mustCheckStart]] for a version after the one at which the query was analyzed. No batch reads the
   * commits between the two, and one of them may have changed the schema.
   */
  def mustCheckLaterStart(version: Long): Boolean

  /**
   * Returns why a run cannot start at a version that must be checked, or None if it can.
   *
   * @param found the schema of the table at that version, or the reason why it cannot be determined
   */
  def checkStart(version: Long, found: Either[Throwable, MetadataAndProtocol]): Option[Problem]
}

/** What a commit means for a stream, as far as its schema and protocol are concerned. */
private[stream] sealed abstract class SchemaDecision

private[stream] object SchemaDecision {

  /** The stream continues. */
  case object Keep extends SchemaDecision

  /** The stream stops before the commit and adds an entry to the schema log; a restart continues with it. */
  case object Evolve extends SchemaDecision

  /** The stream fails at the commit. */
  final case class Fail(problem: Problem) extends SchemaDecision

  /** Returns `Fail` for a problem, otherwise `Keep`. */
  def of(problem: Option[Problem]): SchemaDecision = problem.fold[SchemaDecision](Keep)(Fail(_))
}
