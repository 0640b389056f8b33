// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.model.Position

/**
 * Where a stream without offsets started.
 *
 * @param startOption    the start option that was resolved to it
 * @param position the position before the first file
 * @param end      where the first batch was last planned to end; None before it is planned
 */
private[delta] final case class InitialOffset(startOption: String, position: Position, end: Option[Position])

/** Stores the start in the checkpoint: offsets do not record it (design/0006-starting-points.md). */
private[delta] trait InitialOffsetStore {

  /** Returns the stored start; None once the first batch is committed. */
  def load(): Option[InitialOffset]

  def save(start: InitialOffset): Unit

  /** Forgets the start: a committed first batch is never planned again, so the options decide. */
  def delete(): Unit

  /** Whether Spark has recorded a batch as committed. */
  def hasCommittedBatch: Boolean
}

private[delta] object InitialOffsetStore {

  /** For streams without a folder of their own: they resolve the start again, as delta-spark does. */
  val none: InitialOffsetStore = new InitialOffsetStore {
    override def load(): Option[InitialOffset] = None
    override def save(start: InitialOffset): Unit = ()
    override def delete(): Unit = ()
    override def hasCommittedBatch: Boolean = false
  }
}
