// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.io.FileNotFoundException

import io.github.deltasource.testing.PosixLocalFileSystem
import org.apache.hadoop.fs.{FSDataInputStream, Path}

/** The local file system, where version 2 of every log is listed but fails to open, with Java's own error. */
final class DeniedFileSystem extends PosixLocalFileSystem {
  override def open(path: Path, bufferSize: Int): FSDataInputStream =
    if (path.getName == "00000000000000000002.json")
      throw new FileNotFoundException(s"$path (Permission denied)")
    else super.open(path, bufferSize)
}

object DeniedFileSystem extends LocalFileSystemReplacement(classOf[DeniedFileSystem])
