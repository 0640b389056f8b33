// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.hadoop.fs.{EtagSource, FileStatus, Path}
import org.apache.spark.sql.delta.util.FileNames

/**
 * A commit file as the file system reported it.
 *
 * @param version the table version that the commit created
 * @param status  the file status from a listing or a lookup by name
 * @param contentHash a hash of the file's content, if the file was read
 */
private[delta] final case class CommitFile(
    version: Long,
    status: FileStatus,
    contentHash: Option[Long] = None) {

  def path: String = status.getPath.toString

  private[stream] def identity: CommitIdentity = CommitIdentity.of(this)

  /**
   * Checks whether this file, found now, is the commit that was read earlier. Returns `Unknown` only if
   * `read` has no content hash, that is, if it was never actually read.
   *
   * @param read      the file as it was seen earlier
   * @param contentOf reads the file again and returns its content hash; called only if the file status is not
   *                  enough to decide
   */
  private[stream] def compare(read: CommitFile)(
      contentOf: CommitFile => Option[Long]): CommitIdentity.Comparison =
    (identity.compare(read.identity), read.contentHash) match {
      case (CommitIdentity.Unknown, Some(known)) =>
        if (contentOf(this).contains(known)) CommitIdentity.Same else CommitIdentity.Different
      case (answer, _) => answer
    }
}

/**
 * What a file system reports about a commit file without opening it.
 *
 * @param length           in bytes
 * @param modificationTime in milliseconds since the epoch
 * @param etag             the entity tag, if the file system has them. An object that is written again may
 *                         keep its tag or get a new one
 */
private[stream] final case class CommitIdentity(
    version: Long,
    path: String,
    length: Long,
    modificationTime: Long,
    etag: Option[String]) {
  import CommitIdentity._

  /**
   * Checks whether both are the same commit. A different modification time alone proves nothing, because a
   * log store may copy a commit to its final name twice.
   */
  def compare(other: CommitIdentity): Comparison =
    if (version != other.version || length != other.length) Different
    else if (etag.nonEmpty && etag == other.etag) Same
    else if (path != other.path) comparePaths(other)
    else if (etag.nonEmpty && other.etag.nonEmpty) Unknown
    else if (isSameTime(other)) Same
    else Unknown

  /**
   * Compares two files at different paths. A staged commit is published by copying it to the file name of its
   * version; two staged files of one version are two different commits.
   */
  private def comparePaths(other: CommitIdentity): Comparison =
    (isStaged, other.isStaged) match {
      case (true, true) => Different
      case (false, false) => Unknown
      case _ => Same
    }

  private def isStaged: Boolean = FileNames.isUnbackfilledDeltaFile(new Path(path))

  /** A lookup by name may return the time in whole seconds where a listing returns milliseconds. */
  private def isSameTime(other: CommitIdentity): Boolean =
    modificationTime == other.modificationTime || modificationTime / 1000 == other.modificationTime / 1000 &&
      (modificationTime % 1000 == 0 || other.modificationTime % 1000 == 0)
}

private[stream] object CommitIdentity {

  /** The result of comparing two commit files. */
  sealed abstract class Comparison
  case object Same extends Comparison
  case object Different extends Comparison

  /** The file status cannot decide it; only comparing the content can. */
  case object Unknown extends Comparison

  def of(file: CommitFile): CommitIdentity =
    CommitIdentity(
      file.version,
      file.path,
      file.status.getLen,
      file.status.getModificationTime,
      file.status match {
        case withEtag: EtagSource => Option(withEtag.getEtag).filter(_.nonEmpty)
        case _ => None
      }
    )
}
