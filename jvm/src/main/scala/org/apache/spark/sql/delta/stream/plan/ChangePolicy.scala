// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.Metadata

/**
 * What a plain stream does with commits that take data away: an append-only reader cannot show a deletion, so it
 * refuses unless the user has said otherwise. Decided for a commit as a whole, before any of its files is read.
 */
final case class ChangePolicy(ignoreDeletes: Boolean, ignoreChanges: Boolean, skipChangeCommits: Boolean)
    extends CommitPolicy {

  override def reads(metadata: Metadata): Boolean = true

  override def judge(commit: Commit): Verdict = commit.removedData match {
    case None => Verdict.Keep
    case Some(_) if skipChangeCommits => Verdict.Skip
    case Some(_) if ignoreChanges => Verdict.Keep
    case Some(removed) if commit.files.size == 0 =>
      if (ignoreDeletes) Verdict.Keep else Verdict.Refuse(Problem.DeletedData(commit.version, removed))
    case Some(removed) => Verdict.Refuse(Problem.ChangedData(commit.version, change(commit, removed)))
  }

  private def change(commit: Commit, removed: String): String =
    commit.info.fold(removed)(info => s"${info.operation} (${info.operationParameters})")
}
