// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.io.FileNotFoundException

import org.apache.hadoop.fs.{FSDataInputStream, LocalFileSystem, Path}

/** The local file system, which shows the second commit of every log and lets nobody read it, as Java tells it. */
final class DeniedFileSystem extends LocalFileSystem {
  override def open(path: Path, bufferSize: Int): FSDataInputStream =
    if (path.getName == "00000000000000000002.json")
      throw new FileNotFoundException(s"$path (Permission denied)")
    else super.open(path, bufferSize)
}

object DeniedFileSystem extends InPlaceOfLocal(classOf[DeniedFileSystem])
