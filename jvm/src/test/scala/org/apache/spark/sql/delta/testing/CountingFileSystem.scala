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

object CountingFileSystem {
  private val operations = new AtomicInteger
  private val listed = new AtomicInteger

  /** Put it in the place of the local one, and of its instances that are kept. */
  val confs: Seq[(String, String)] = Seq(
    "fs.file.impl" -> classOf[CountingFileSystem].getName,
    "fs.file.impl.disable.cache" -> "true"
  )

  /** How many operations the body asks for. */
  def of(body: => Any): Int = {
    val before = operations.get
    val _ = body
    operations.get - before
  }

  /** How many listings, of whatever folder. */
  def listings(body: => Any): Int = {
    val before = listed.get
    val _ = body
    listed.get - before
  }

  private def counting[T](path: Path)(work: => T): T = {
    if (path.toString.contains("_delta_log")) operations.incrementAndGet()
    work
  }
}
