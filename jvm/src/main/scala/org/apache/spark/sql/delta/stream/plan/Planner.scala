// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.model.{Position, Problem}

/** Plans batches from the steps of a log scan. Pure: the log is read only when `steps` is consumed. */
private[delta] trait Planner {

  /** True if every file of a commit that is kept belongs to the stream. */
  def acceptsAllFiles: Boolean

  /**
   * Plans the next batch, as far as the budget allows. Takes no more steps than it needs to know where the
   * batch ends.
   *
   * @param steps  the versions from `from` on
   * @param from   the position up to which the stream has read
   * @param budget the limits of the batch
   */
  def plan(steps: Iterator[ScanStep], from: Position, budget: Budget): Plan

  /** Plans everything after `from` up to and including `to`: the batch that was once planned to end there. */
  def planRange(steps: Iterator[ScanStep], from: Position, to: Position): Plan

  /**
   * Returns every position of the scan, or the problem that stops it; files only after `from`. Used by the
   * documented scanning members.
   */
  def entries(steps: Iterator[ScanStep], from: Position): Iterator[Either[Problem, ScanEntry]]
}

/** Accepts every file. */
private[stream] object AcceptAllFiles extends (FileAction => Boolean) {
  override def apply(file: FileAction): Boolean = true
}
