// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bench

import java.io.InputStream

import org.apache.hadoop.fs.{FSDataInputStream, PositionedReadable, Seekable}

/** Counts the bytes and lines read of a file, as `bytes` and `lines` of [[CountingFileSystem]]. */
private final class CountedStream(under: FSDataInputStream) extends InputStream with Seekable
    with PositionedReadable {

  override def read(): Int = {
    val byte = under.read()
    if (byte >= 0) counted(1, if (byte == '\n') 1 else 0)
    byte
  }

  override def read(into: Array[Byte], from: Int, length: Int): Int =
    noted(under.read(into, from, length), into, from)

  override def read(position: Long, into: Array[Byte], from: Int, length: Int): Int =
    noted(under.read(position, into, from, length), into, from)

  override def readFully(position: Long, into: Array[Byte], from: Int, length: Int): Unit = {
    under.readFully(position, into, from, length)
    noted(length, into, from)
    ()
  }

  override def readFully(position: Long, into: Array[Byte]): Unit = readFully(position, into, 0, into.length)
  override def seek(position: Long): Unit = under.seek(position)
  override def getPos: Long = under.getPos
  override def seekToNewSource(position: Long): Boolean = under.seekToNewSource(position)
  override def available(): Int = under.available()
  override def close(): Unit = under.close()

  private def noted(length: Int, into: Array[Byte], from: Int): Int = {
    if (length > 0) counted(length, lines(into, from, from + length))
    length
  }

  /** A plain loop, which is fast: counting is part of the measured time, of the side that reads more above all. */
  private def lines(bytes: Array[Byte], from: Int, until: Int): Int = {
    var at = from
    var found = 0
    while (at < until) {
      if (bytes(at) == '\n') found += 1
      at += 1
    }
    found
  }

  private def counted(bytes: Int, lines: Int): Unit = {
    CountingFileSystem.add("bytes", bytes.toLong)
    CountingFileSystem.add("lines", lines.toLong)
  }
}
