// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/**
 * At which versions a batch of the stream may begin: a change feed only where the table records changes. Only what
 * changes the answer is kept, and only from where the stream is: a table may write its metadata in every commit.
 *
 * @param answers whether a batch may begin there, from each of these versions on, ascending
 */
final case class FeedHistory(answers: Vector[(Long, Boolean)]) {

  /** None if the stream has read no metadata at or before this version. */
  def at(version: Long): Option[Boolean] = answers.takeWhile(_._1 <= version).lastOption.map(_._2)

  /** The stream has read the metadata of a version; it may read it again. */
  def met(version: Long, answer: Boolean): FeedHistory =
    if (answers.lastOption.exists { case (last, known) => version <= last || answer == known }) this
    else FeedHistory(answers :+ version -> answer)

  /** What was in force where the run resumes, which is before everything that was read. */
  def startingWith(version: Long, answer: Boolean): FeedHistory =
    FeedHistory((version -> answer) +: answers.filter(_._1 > version))

  /** Forgets what no batch that begins at this version or later needs. */
  def from(version: Long): FeedHistory = FeedHistory(answers.drop(answers.lastIndexWhere(_._1 <= version)))
}

object FeedHistory {
  val unknown: FeedHistory = FeedHistory(Vector.empty)
}
