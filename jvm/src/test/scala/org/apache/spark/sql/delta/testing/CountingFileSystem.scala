// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicInteger

import io.github.deltasource.testing.PosixLocalFileSystem
import org.apache.hadoop.fs.impl.OpenFileParameters
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, Path}

/** The local file system, counting listings, status checks and opened files in Delta logs. */
final class CountingFileSystem extends PosixLocalFileSystem {
  import CountingFileSystem.{counting, inLog, listed, withStatus}

  override def listStatus(path: Path): Array[FileStatus] = counting(path) {
    listed.incrementAndGet()
    super.listStatus(path)
  }

  override def getFileStatus(path: Path): FileStatus = counting(path)(super.getFileStatus(path))

  override def open(path: Path, bufferSize: Int): FSDataInputStream =
    counting(path)(super.open(path, bufferSize))

  override protected def openFileWithOptions(
      path: Path,
      parameters: OpenFileParameters): CompletableFuture[FSDataInputStream] = {
    if (inLog(path) && Option(parameters.getStatus).nonEmpty) withStatus.incrementAndGet()
    super.openFileWithOptions(path, parameters)
  }
}

object CountingFileSystem extends LocalFileSystemReplacement(classOf[CountingFileSystem]) {
  private val operations = new AtomicInteger
  private val listed = new AtomicInteger
  private val withStatus = new AtomicInteger

  /** The number of operations on Delta logs during the body. */
  def of(body: => Any): Int = during(operations)(body)

  /** The number of listings during the body, of any folder. */
  def listings(body: => Any): Int = during(listed)(body)

  /** The number of log files that the body opens with a known file status. */
  def opensWithStatus(body: => Any): Int = during(withStatus)(body)

  private def during(counter: AtomicInteger)(body: => Any): Int = {
    val before = counter.get
    val _ = body
    counter.get - before
  }

  private def inLog(path: Path): Boolean = path.toString.contains("_delta_log")

  private def counting[T](path: Path)(work: => T): T = {
    if (inLog(path)) operations.incrementAndGet()
    work
  }
}
