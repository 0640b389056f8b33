// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.hadoop.fs.FileStatus

/**
 * The file of one commit as the file system showed it.
 *
 * @param content a hash of what was read from it, if it was read
 */
final case class CommitFile(version: Long, status: FileStatus, content: Option[Long] = None) {

  def path: String = status.getPath.toString

  private[stream] def identity: CommitIdentity = CommitIdentity.of(this)

  /**
   * Whether this, found now, is the commit that was read earlier. Undecided only if that was never read.
   *
   * @param contentOf reads the file again; asked only where the file system does not decide
   */
  private[stream] def compare(read: CommitFile)(
      contentOf: CommitFile => Option[Long]): CommitIdentity.Answer =
    (identity.compare(read.identity), read.content) match {
      case (CommitIdentity.Undecided, Some(known)) =>
        if (contentOf(this).contains(known)) CommitIdentity.Same else CommitIdentity.Different
      case (answer, _) => answer
    }
}
