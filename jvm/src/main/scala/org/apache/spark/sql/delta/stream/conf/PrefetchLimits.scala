// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

/**
 * How much of a transaction log is read before it is needed: by prefetching, and by a round of a log replay.
 *
 * @param commits the maximum number of commits; 0 disables prefetching
 * @param bytes   the maximum total size of their files in bytes
 */
private[delta] final case class PrefetchLimits(commits: Int, bytes: Long) {

  /** Returns the longest prefix of `files` within both limits; `length` gives the size of a file in bytes. */
  def first[A](files: Iterator[A])(length: A => Long): Vector[A] = {
    val runningTotals = files.take(commits).scanLeft((0L, Option.empty[A])) { case ((sum, _), file) =>
      (sum + length(file), Some(file))
    }
    runningTotals.takeWhile(_._1 <= bytes).flatMap(_._2).toVector
  }
}

private[delta] object PrefetchLimits {
  val none: PrefetchLimits = PrefetchLimits(0, 0)
}
