// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.FileAction

/** Turns the way that lies ahead of a stream into batches. Pure: reading happens as `steps` is drawn from. */
trait Planner {

  /** Whether every file of a commit that is kept belongs to the stream. */
  def acceptsEvery: Boolean

  /** As far as the budget reaches. Draws no step more than it needs to know where the batch ends. */
  def plan(steps: Iterator[Step], from: Position, budget: Budget): Plan

  /** Everything up to `to`, inclusive: the batch that was once planned to end there. */
  def range(steps: Iterator[Step], from: Position, to: Position): Plan

  /** Every place on the way, files from behind `from` on: for the documented scanning members. */
  def entries(steps: Iterator[Step], from: Position): Iterator[Either[Problem, Entry]]
}

/** Nothing is left out. */
object EveryFile extends (FileAction => Boolean) {
  override def apply(file: FileAction): Boolean = true
}
