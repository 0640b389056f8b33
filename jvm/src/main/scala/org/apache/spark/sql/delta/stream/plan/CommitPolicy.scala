// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.DeltaConfigs
import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.commands.cdc.CDCReader
import org.apache.spark.sql.delta.stream.model.{Commit, Problem, SplitRule}

/** Decides how a stream handles whole commits, before any of their files is read. */
private[stream] trait CommitPolicy {

  /** Returns whether the stream keeps a commit, skips it or fails at it. */
  def decide(commit: Commit): CommitDecision

  /**
   * Returns true if a batch may start at a version with this metadata: a change feed needs the table to record
   * changes there; other streams may start anywhere.
   */
  def allowsBatchStart(metadata: Metadata): Boolean
}

/** How a stream handles one commit. */
private[stream] sealed abstract class CommitDecision

private[stream] object CommitDecision {

  /** The stream reads the commit's files. */
  case object Keep extends CommitDecision

  /** The stream treats the commit as one without files. */
  case object Skip extends CommitDecision

  /** The stream fails at the commit. */
  final case class Fail(problem: Problem) extends CommitDecision
}

/**
 * Decides how an append-only stream handles commits that remove data. Such a stream cannot show a deletion,
 * so it refuses these commits unless the user set one of the options below. The decision is for a commit as a
 * whole, before any of its files is read.
 *
 * @param ignoreDeletes     read on after commits that only remove whole files
 * @param ignoreChanges     also read on after commits that rewrite files; the rewritten files are read again,
 *                          including unchanged rows
 * @param skipChangeCommits skip commits that remove data, including the files they add; wins over the other
 *                          two
 */
private[stream] final case class AppendOnlyPolicy(
    ignoreDeletes: Boolean,
    ignoreChanges: Boolean,
    skipChangeCommits: Boolean)
    extends CommitPolicy {

  override def allowsBatchStart(metadata: Metadata): Boolean = true

  override def decide(commit: Commit): CommitDecision = commit.firstRemovedPath match {
    case None => CommitDecision.Keep
    case Some(_) if skipChangeCommits => CommitDecision.Skip
    case Some(_) if ignoreChanges => CommitDecision.Keep
    case Some(removed) if commit.files.size == 0 =>
      if (ignoreDeletes) CommitDecision.Keep
      else CommitDecision.Fail(Problem.DeletedData(commit.version, removed))
    case Some(removed) => CommitDecision.Fail(Problem.ChangedData(commit.version, change(commit, removed)))
  }

  private def change(commit: Commit, removed: String): String =
    commit.info.fold(removed)(info => s"${info.operation} (${info.operationParameters})")
}

/** Keeps every commit, because a change feed shows removed rows. A MERGE that changed no row is skipped. */
private[stream] case object ChangeFeedPolicy extends CommitPolicy {

  override def decide(commit: Commit): CommitDecision =
    if (commit.splitRule != SplitRule.ChangeFiles && commit.info.exists(
        CDCReader.shouldSkipFileActionsInCommit))
      CommitDecision.Skip
    else CommitDecision.Keep

  override def allowsBatchStart(metadata: Metadata): Boolean =
    DeltaConfigs.CHANGE_DATA_FEED.fromMetaData(metadata)
}
