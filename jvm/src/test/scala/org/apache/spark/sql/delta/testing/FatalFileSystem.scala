// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicReference

import io.github.deltasource.testing.PosixLocalFileSystem
import org.apache.hadoop.fs.impl.OpenFileParameters
import org.apache.hadoop.fs.{FSDataInputStream, Path}

/** The local file system, where opening certain files fails with a fatal error. */
final class FatalFileSystem extends PosixLocalFileSystem {
  import FatalFileSystem.failing

  override def open(path: Path, bufferSize: Int): FSDataInputStream = {
    fail(path)
    super.open(path, bufferSize)
  }

  override protected def openFileWithOptions(
      path: Path,
      parameters: OpenFileParameters): CompletableFuture[FSDataInputStream] = {
    fail(path)
    super.openFileWithOptions(path, parameters)
  }

  private def fail(path: Path): Unit =
    for ((name, error) <- failing.get if path.getName.contains(name)) throw error
}

object FatalFileSystem extends LocalFileSystemReplacement(classOf[FatalFileSystem]) {
  private val failing = new AtomicReference(Option.empty[(String, Error)])

  /** Files whose names contain this text fail to open with this error. */
  def opening[T](name: String, error: Error)(body: => T): T = {
    failing.set(Some((name, error)))
    try body
    finally failing.set(None)
  }
}
