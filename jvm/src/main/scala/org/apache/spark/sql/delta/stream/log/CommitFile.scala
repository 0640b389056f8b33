// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.hadoop.fs.FileStatus

/** The file of one commit as the file system showed it. */
final case class CommitFile(version: Long, status: FileStatus) {

  /**
   * Whether it is still the same file. A store may give fewer digits of the time by name than in a listing; a commit
   * that was staged has another name and time once it is published.
   */
  def sameAs(other: CommitFile): Boolean =
    version == other.version && status.getLen == other.status.getLen &&
      (path != other.path || status.getModificationTime / 1000 == other.status.getModificationTime / 1000)

  /** Whether nothing we know of it has changed; both as one file system shows them in one way. */
  def isSame(other: CommitFile): Boolean =
    this == other && status.getLen == other.status.getLen &&
      status.getModificationTime == other.status.getModificationTime

  def path: String = status.getPath.toString
}
