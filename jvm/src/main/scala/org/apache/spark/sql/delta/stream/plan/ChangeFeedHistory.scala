// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/**
 * Records at which versions a batch may start. A batch of a change feed may start only where the table
 * records changes. A table may write its metadata in every commit, so only the versions that change the
 * answer are kept, and only from the stream's position on.
 *
 * @param enabledFrom whether a batch may start from each of these versions on, in ascending order of version
 */
private[stream] final case class ChangeFeedHistory(enabledFrom: Vector[(Long, Boolean)]) {

  /** Returns whether a batch may start at a version; None if no metadata up to that version was read. */
  def at(version: Long): Option[Boolean] = enabledFrom.takeWhile(_._1 <= version).lastOption.map(_._2)

  /** Records the answer for a version whose metadata was read. Reading it again changes nothing. */
  def record(version: Long, allowed: Boolean): ChangeFeedHistory =
    if (enabledFrom.lastOption.exists { case (last, known) => version <= last || allowed == known }) this
    else ChangeFeedHistory(enabledFrom :+ version -> allowed)

  /** Records the answer at the version where the run resumes, which is before everything that was read. */
  def withStart(version: Long, allowed: Boolean): ChangeFeedHistory =
    ChangeFeedHistory((version -> allowed) +: enabledFrom.filter(_._1 > version))

  /** Drops the entries that no batch starting at `version` or later needs. */
  def from(version: Long): ChangeFeedHistory =
    ChangeFeedHistory(enabledFrom.drop(enabledFrom.lastIndexWhere(_._1 <= version)))
}

private[stream] object ChangeFeedHistory {
  val unknown: ChangeFeedHistory = ChangeFeedHistory(Vector.empty)
}
