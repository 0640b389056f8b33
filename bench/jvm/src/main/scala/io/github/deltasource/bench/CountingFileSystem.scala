// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bench

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.LongAdder

import org.apache.hadoop.fs.{
  FSDataInputStream,
  FileStatus,
  LocalFileSystem,
  LocatedFileStatus,
  Path,
  RemoteIterator
}

/**
 * The local file system with counters for `_delta_log` folders: `list` for listings, `status` for lookups of a file by
 * name, `open` for opened files, `bytes` and `lines` for what is read of commits. Both sides use it, as
 * `spark.hadoop.fs.file.impl`.
 */
final class CountingFileSystem extends LocalFileSystem {
  import CountingFileSystem.{count, inLog}

  override def listStatus(path: Path): Array[FileStatus] = {
    count("list", path)
    super.listStatus(path)
  }

  override def listStatusIterator(path: Path): RemoteIterator[FileStatus] = {
    count("list", path)
    super.listStatusIterator(path)
  }

  override def listLocatedStatus(path: Path): RemoteIterator[LocatedFileStatus] = {
    count("list", path)
    super.listLocatedStatus(path)
  }

  override def getFileStatus(path: Path): FileStatus = {
    count("status", path)
    super.getFileStatus(path)
  }

  override def open(path: Path, bufferSize: Int): FSDataInputStream = {
    count("open", path)
    val opened = super.open(path, bufferSize)
    if (inLog(path) && path.getName.endsWith(".json")) new FSDataInputStream(new CountedStream(opened))
    else opened
  }
}

object CountingFileSystem {
  private val counts = new ConcurrentHashMap[String, LongAdder]

  /** The number of calls of an operation since the JVM started; for `bytes` and `lines`, the number read. */
  def counted(operation: String): Long = Option(counts.get(operation)).fold(0L)(_.sum)

  private[bench] def add(operation: String, number: Long): Unit =
    counts.computeIfAbsent(operation, _ => new LongAdder).add(number)

  private def inLog(path: Path): Boolean = path.toString.contains("/_delta_log")

  private def count(operation: String, path: Path): Unit = if (inLog(path)) add(operation, 1)
}
