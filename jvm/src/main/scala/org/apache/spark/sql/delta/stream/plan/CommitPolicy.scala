// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.Metadata

/** What a stream makes of whole commits, decided before any of their files is read. */
trait CommitPolicy {
  def judge(commit: Commit): Verdict

  /** Whether a batch may begin at a version with this metadata. */
  def reads(metadata: Metadata): Boolean
}

/** What becomes of a commit. */
sealed abstract class Verdict

object Verdict {
  case object Keep extends Verdict

  /** It counts as a commit without files. */
  case object Skip extends Verdict
  final case class Refuse(problem: Problem) extends Verdict
}
