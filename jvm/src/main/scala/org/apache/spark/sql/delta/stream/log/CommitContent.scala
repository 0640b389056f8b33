// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.unsafe.Platform

/** A 64-bit hash of the lines of a commit, to tell two files of one length apart. It is never stored. */
private[stream] object CommitContent {
  val empty = 0L

  def of(lines: Iterator[String]): Long = lines.map(ofLine).foldLeft(empty)(and)

  def ofLine(line: String): Long = {
    val bytes = line.getBytes(UTF_8)
    XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET.toLong, bytes.length, empty)
  }

  /** @param lines what the lines before give */
  def and(lines: Long, line: Long): Long = XXH64.hashLong(line, lines)
}
