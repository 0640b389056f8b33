// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicInteger

import org.apache.hadoop.fs.impl.OpenFileParameters
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, LocalFileSystem, Path}

/** The local file system, which counts what is listed, looked at and opened in a log of Delta's. */
final class CountingFileSystem extends LocalFileSystem {
  import CountingFileSystem.{counting, inLog, known, listed}

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
    if (inLog(path) && Option(parameters.getStatus).nonEmpty) known.incrementAndGet()
    super.openFileWithOptions(path, parameters)
  }
}

object CountingFileSystem extends InPlaceOfLocal(classOf[CountingFileSystem]) {
  private val operations = new AtomicInteger
  private val listed = new AtomicInteger
  private val known = new AtomicInteger

  /** How many operations the body asks for. */
  def of(body: => Any): Int = during(operations)(body)

  /** How many listings, of whatever folder. */
  def listings(body: => Any): Int = during(listed)(body)

  /** How many files of a log are opened with what is known of them. */
  def knownOpens(body: => Any): Int = during(known)(body)

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
