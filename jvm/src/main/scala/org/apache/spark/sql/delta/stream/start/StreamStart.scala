// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.start

import org.apache.spark.sql.delta.stream.plan.Position

/**
 * Where a stream without offsets began.
 *
 * @param asked    the user's choice it came from
 * @param position before the first file
 * @param end      where the first batch was last planned to end, once it was planned
 */
final case class StreamStart(asked: String, position: Position, end: Option[Position])

/** Keeps the start beside a checkpoint, for its offsets do not say it (docs/design/0006-starting-points.md). */
trait StartMemory {

  /** None once the first batch is committed. */
  def recall(): Option[StreamStart]

  def remember(start: StreamStart): Unit

  /** The first batch is committed: nobody plans it again, and a stream without offsets begins by its options. */
  def done(): Unit

  /** Whether the engine has noted that a batch is done. */
  def hasBatchDone: Boolean
}

object StartMemory {

  /** For streams without a folder of their own: each asks anew, as delta-spark does. */
  val none: StartMemory = new StartMemory {
    override def recall(): Option[StreamStart] = None
    override def remember(start: StreamStart): Unit = ()
    override def done(): Unit = ()
    override def hasBatchDone: Boolean = false
  }
}
