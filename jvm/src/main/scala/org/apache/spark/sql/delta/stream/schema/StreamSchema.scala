// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.stream.plan.{Commit, Problem}

/** The table as a stream was analysed with it, and what that stream makes of commits that change it. Pure. */
trait StreamSchema {

  def metadata: Metadata

  /** Whether the stream may pass over commits that have vanished from the log. */
  def toleratesLosses: Boolean

  /**
   * What a commit that says something of schema or protocol means for the stream.
   *
   * @param starting the commit lies between where a run resumes and what was planned before it
   */
  def judge(commit: Commit, starting: Boolean): SchemaVerdict

  /**
   * What keeps a run from beginning at a version older than the table it was analysed with.
   *
   * @param found the table then, or why that cannot be told
   */
  def judgeStart(version: Long, found: Either[Throwable, TableSchema]): Option[Problem]
}

/** Schema, partitioning, properties and protocol of a table at some version. */
final case class TableSchema(metadata: Metadata, protocol: Protocol)

sealed abstract class SchemaVerdict

object SchemaVerdict {

  /** The stream reads on. */
  case object Keep extends SchemaVerdict

  /** The stream ends there, and the log of schemas gets an entry: a restart goes on with that. */
  case object Evolve extends SchemaVerdict

  final case class Refuse(problem: Problem) extends SchemaVerdict

  def of(problem: Option[Problem]): SchemaVerdict = problem.fold[SchemaVerdict](Keep)(Refuse(_))
}
