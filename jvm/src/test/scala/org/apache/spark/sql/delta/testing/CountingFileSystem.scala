// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.util.concurrent.atomic.AtomicInteger

import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, LocalFileSystem, Path}

/** The local file system, which counts what is listed, looked at and opened in a log of Delta's. */
final class CountingFileSystem extends LocalFileSystem {
  import CountingFileSystem.{counting, listed}

  override def listStatus(path: Path): Array[FileStatus] = counting(path) {
    listed.incrementAndGet()
    super.listStatus(path)
  }

  override def getFileStatus(path: Path): FileStatus = counting(path)(super.getFileStatus(path))

  override def open(path: Path, bufferSize: Int): FSDataInputStream =
    counting(path)(super.open(path, bufferSize))
}

object CountingFileSystem extends InPlaceOfLocal(classOf[CountingFileSystem]) {
  private val operations = new AtomicInteger
  private val listed = new AtomicInteger

  /** How many operations the body asks for. */
  def of(body: => Any): Int = during(operations)(body)

  /** How many listings, of whatever folder. */
  def listings(body: => Any): Int = during(listed)(body)

  private def during(counter: AtomicInteger)(body: => Any): Int = {
    val before = counter.get
    val _ = body
    counter.get - before
  }

  private def counting[T](path: Path)(work: => T): T = {
    if (path.toString.contains("_delta_log")) operations.incrementAndGet()
    work
  }
}
