// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.SingleCommit
import org.apache.spark.sql.delta.actions.Action
import org.apache.spark.sql.delta.storage.{ClosableIterator, SupportsRewinding}

/** The actions of a commit, to be read more than once: kept while they are few bytes, opened again otherwise. */
final class RewindableActions private (open: () => ClosableIterator[Action])
    extends ClosableIterator[Action]
    with SupportsRewinding[Action] {
  private var current = open()

  override def hasNext: Boolean = current.hasNext
  override def next(): Action = current.next()
  override def close(): Unit = current.close()
  override def rewind(): Unit = {
    current.close()
    current = open()
  }
}

object RewindableActions {

  /** @param inMemory commits below this many bytes are read once */
  def of(commit: SingleCommit, inMemory: Long): RewindableActions =
    if (commit.commitFileSizeInBytes < inMemory) {
      val actions = commit.getActionsIterator().processAndClose(_.toVector)
      new RewindableActions(() => new Closed(actions.iterator))
    } else new RewindableActions(() => commit.getActionsIterator())

  private final class Closed(actions: Iterator[Action]) extends ClosableIterator[Action] {
    override def hasNext: Boolean = actions.hasNext
    override def next(): Action = actions.next()
    override def close(): Unit = ()
  }
}
