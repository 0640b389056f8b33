// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.hadoop.fs.FileStatus

/** The file of one commit as the file system showed it. Two with the same identity hold the same bytes. */
final case class CommitFile(version: Long, status: FileStatus) {
  def identity: (Long, String, Long, Long) =
    (version, status.getPath.toString, status.getLen, status.getModificationTime)

  def path: String = status.getPath.toString
}
