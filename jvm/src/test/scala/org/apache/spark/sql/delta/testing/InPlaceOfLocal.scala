// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import org.apache.hadoop.fs.LocalFileSystem

/** A file system to stand in the place of the local one. */
abstract class InPlaceOfLocal(fileSystem: Class[_ <: LocalFileSystem]) {

  /** Put it there, and in the place of its instances that are kept. */
  def confs: Seq[(String, String)] = Seq(
    "fs.file.impl" -> fileSystem.getName,
    "fs.file.impl.disable.cache" -> "true"
  )
}
