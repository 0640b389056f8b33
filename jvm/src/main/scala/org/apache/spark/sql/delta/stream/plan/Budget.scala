// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/**
 * What one batch may still take. Spent by returning what is left; a file is admitted while anything is left at
 * all, so bytes are exceeded by at most the last file and no batch starves (docs/design/0002-admission.md).
 */
final case class Budget(files: Long, bytes: Long) {

  def isExhausted: Boolean = files <= 0 || bytes <= 0

  /** What is left after one file of this size, or none when it has to wait. */
  def admit(size: Long): Option[Budget] = Option.unless(isExhausted)(spend(1, size))

  /** Whether a group that must not be cut fits as a whole. */
  def holds(count: Long, size: Long): Boolean = spend(count, size) match {
    case Budget(files, bytes) => files >= 0 && bytes >= 0
  }

  /** Which limit keeps the next file out of a batch that has spent it. */
  def limit: Closing = if (files <= 0) Closing.MaxFiles else Closing.MaxBytes

  /** Which limit keeps a group out that it does not hold. */
  def limit(count: Long, size: Long): Closing =
    if (spend(count, size).files < 0) Closing.MaxFiles else Closing.MaxBytes

  /** Below zero where more is spent than there is. A log may claim a size below zero: it gives nothing back. */
  def spend(count: Long, size: Long): Budget =
    Budget(files - count, if (bytes < 0) bytes else bytes - math.max(0L, size))
}

object Budget {
  val unlimited: Budget = Budget(Long.MaxValue, Long.MaxValue)
}
