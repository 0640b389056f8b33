// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

/**
 * How much of the commits of a log is held in the driver's memory.
 *
 * @param heldCommitBytes commits whose file has up to this many bytes; of larger ones, a slice
 * @param readAhead       what is read before it is asked for
 */
final case class LogBounds(heldCommitBytes: Long, readAhead: ReadAhead.Bounds)
