// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import org.apache.hadoop.fs.LocalFileSystem

/** A file system that replaces the local one. */
abstract class LocalFileSystemReplacement(fileSystem: Class[_ <: LocalFileSystem]) {

  /** The confs that make Hadoop use this file system for local files, and not a cached instance of another. */
  def confs: Seq[(String, String)] = Seq(
    "fs.file.impl" -> fileSystem.getName,
    "fs.file.impl.disable.cache" -> "true"
  )
}
