// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.{CRC32C, CheckedInputStream}

import org.apache.spark.sql.delta.storage.ClosableIterator

/**
 * A checksum of a commit, taken while it is read, to tell two files of one length apart. Of the bytes where they are
 * read from a file, for that costs about one hundredth of parsing them, and of the lines where a log store gives only
 * those. It is never stored.
 */
private[log] final class CommitHash {
  private val crc = new CRC32C

  def of(in: InputStream): InputStream = new CheckedInputStream(in, crc)

  def of(lines: ClosableIterator[String]): ClosableIterator[String] = new ClosableIterator[String] {
    override def hasNext: Boolean = lines.hasNext
    override def close(): Unit = lines.close()
    override def next(): String = {
      val line = lines.next()
      crc.update(line.getBytes(UTF_8))
      crc.update('\n'.toInt)
      line
    }
  }

  /** Of what was read so far. */
  def value: Long = crc.getValue
}
