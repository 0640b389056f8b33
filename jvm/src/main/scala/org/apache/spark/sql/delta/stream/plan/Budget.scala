// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/**
 * How much one batch may still take. A budget is immutable: spending returns the remaining budget. A file is
 * admitted as long as anything remains, so a batch exceeds the byte limit by at most its last file, and no
 * batch stays empty because a file is too large (docs/internals/design/0002-admission.md).
 *
 * @param files the remaining number of files
 * @param bytes the remaining bytes
 */
private[delta] final case class Budget(files: Long, bytes: Long) {

  def isExhausted: Boolean = files <= 0 || bytes <= 0

  /** Returns the remaining budget after one file of `size` bytes, or None if the file must wait. */
  def admit(size: Long): Option[Budget] = Option.unless(isExhausted)(spend(1, size))

  /** Returns true if a group of `count` files and `size` bytes that must not be split fits as a whole. */
  def fits(count: Long, size: Long): Boolean = spend(count, size) match {
    case Budget(files, bytes) => files >= 0 && bytes >= 0
  }

  /** The limit that an exhausted budget has reached. */
  def reachedLimit: BatchEndReason = if (files <= 0) BatchEndReason.MaxFiles else BatchEndReason.MaxBytes

  /** Returns the limit that a group of `count` files and `size` bytes exceeds, given that it does not fit. */
  def exceededLimit(count: Long, size: Long): BatchEndReason =
    if (spend(count, size).files < 0) BatchEndReason.MaxFiles else BatchEndReason.MaxBytes

  /**
   * Returns the budget minus `count` files and `size` bytes; negative if that is more than remains. A log may
   * contain a negative file size: it counts as 0, so it does not increase the budget.
   */
  def spend(count: Long, size: Long): Budget =
    Budget(files - count, if (bytes < 0) bytes else bytes - math.max(0L, size))
}

private[delta] object Budget {
  val unlimited: Budget = Budget(Long.MaxValue, Long.MaxValue)
}
