// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.net.URI

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.storage.LogStore

/** Where the files of a log are: a log store may have them in other places than their paths say. */
private[log] object PhysicalPath {

  /** The path itself where the store does not say: a store of Delta's older interface need not. */
  def of(store: LogStore, path: Path, hadoopConf: Configuration): Path =
    try {
      val physical = store.resolvePathOnPhysicalStorage(path, hadoopConf)
      // Delta's own stores answer with the qualified path, which is that of a log already but for how it is written.
      if (isSame(path.toUri, physical.toUri)) path else physical
    } catch { case _: UnsupportedOperationException => path }

  private def isSame(path: URI, physical: URI): Boolean =
    path.getScheme == physical.getScheme && path.getPath == physical.getPath &&
      Option(path.getAuthority).forall(_ == physical.getAuthority)

  /** What is known of a file, under the path that the store takes it by. */
  def named(physical: FileStatus, path: Path): FileStatus =
    new FileStatus(
      physical.getLen,
      physical.isDirectory,
      physical.getReplication.toInt,
      physical.getBlockSize,
      physical.getModificationTime,
      path)
}
