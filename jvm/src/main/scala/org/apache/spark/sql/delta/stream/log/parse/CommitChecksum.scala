// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.{CRC32C, CheckedInputStream}

import org.apache.spark.sql.delta.storage.ClosableIterator

/**
 * A checksum of a commit, computed while it is read, to distinguish two files of the same length. It covers
 * the bytes where they are read from a file, which costs about one hundredth of parsing them, and the lines
 * where a log store returns only those. It is never stored.
 */
private[stream] final class CommitChecksum {
  private val crc = new CRC32C

  /** Returns a stream that adds the bytes to this checksum as they are read. */
  def wrap(in: InputStream): InputStream = new CheckedInputStream(in, crc)

  /** Returns an iterator that adds the lines to this checksum as they are read. */
  def wrap(lines: ClosableIterator[String]): ClosableIterator[String] = new ClosableIterator[String] {
    override def hasNext: Boolean = lines.hasNext
    override def close(): Unit = lines.close()
    override def next(): String = {
      val line = lines.next()
      crc.update(line.getBytes(UTF_8))
      crc.update('\n'.toInt)
      line
    }
  }

  /** The checksum of what was read so far. */
  def value: Long = crc.getValue
}
