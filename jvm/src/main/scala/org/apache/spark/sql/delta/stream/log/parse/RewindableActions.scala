// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import org.apache.spark.sql.delta.SingleCommit
import org.apache.spark.sql.delta.actions.Action
import org.apache.spark.sql.delta.storage.{ClosableIterator, SupportsRewinding}

/** The actions of a commit, which can be read more than once: held in memory if small, otherwise reopened. */
private[delta] final class RewindableActions private (open: () => ClosableIterator[Action])
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

private[delta] object RewindableActions {

  /**
   * Opens the actions of this commit. The caller closes them.
   *
   * @param maxInMemoryBytes commits below this many bytes are read once and held in memory
   */
  def of(commit: SingleCommit, maxInMemoryBytes: Long): RewindableActions =
    if (commit.commitFileSizeInBytes < maxInMemoryBytes) {
      val actions = commit.getActionsIterator().processAndClose(_.toVector)
      new RewindableActions(() => new InMemoryActions(actions.iterator))
    } else new RewindableActions(() => commit.getActionsIterator())

  /** Actions whose file is closed already. */
  private final class InMemoryActions(actions: Iterator[Action]) extends ClosableIterator[Action] {
    override def hasNext: Boolean = actions.hasNext
    override def next(): Action = actions.next()
    override def close(): Unit = ()
  }
}
