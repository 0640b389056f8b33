// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

/**
 * How much of a log is held in the driver's memory.
 *
 * @param driverFiles     up to this many files of an initial snapshot
 * @param heldCommitBytes commits whose file has up to this many bytes; of larger ones, a slice
 * @param readAhead       what is read before it is asked for
 */
final case class LogBounds(driverFiles: Long, heldCommitBytes: Long, readAhead: ReadAhead.Bounds)
