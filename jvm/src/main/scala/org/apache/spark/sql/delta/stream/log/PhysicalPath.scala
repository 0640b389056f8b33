// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.net.URI

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.storage.LogStore

/** Finds where the files of a log are stored: a log store may keep them at other paths than the log's. */
private[log] object PhysicalPath {

  /**
   * Returns the path at which the store keeps the file. That is `path` itself if the store does not say:
   * stores of Delta's older interface need not.
   */
  def of(store: LogStore, path: Path, hadoopConf: Configuration): Path =
    try {
      val physical = store.resolvePathOnPhysicalStorage(path, hadoopConf)
      // Delta's own stores return the qualified path. That is the path of the log, perhaps spelled
      // differently.
      if (isSamePath(path.toUri, physical.toUri)) path else physical
    } catch { case _: UnsupportedOperationException => path }

  private def isSamePath(path: URI, physical: URI): Boolean =
    path.getScheme == physical.getScheme && path.getPath == physical.getPath &&
      Option(path.getAuthority).forall(_ == physical.getAuthority)

  /** Returns this status with another path: the one by which the log store takes the file. */
  def withPath(physical: FileStatus, path: Path): FileStatus =
    new FileStatus(
      physical.getLen,
      physical.isDirectory,
      physical.getReplication.toInt,
      physical.getBlockSize,
      physical.getModificationTime,
      path)
}
