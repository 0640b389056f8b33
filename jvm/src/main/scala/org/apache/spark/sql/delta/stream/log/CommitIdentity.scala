// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.hadoop.fs.{EtagSource, Path}
import org.apache.spark.sql.delta.util.FileNames

/**
 * What a file system says of the file of a commit, without opening it.
 *
 * @param modified in milliseconds since 1970
 * @param tag      the entity tag, where the file system has one: an object written again may keep it or get another
 */
private[stream] final case class CommitIdentity(
    version: Long,
    path: String,
    length: Long,
    modified: Long,
    tag: Option[String]) {
  import CommitIdentity._

  /** Whether both are one commit. Another time alone decides nothing: a log store may copy a commit to its name twice. */
  def compare(other: CommitIdentity): Answer =
    if (version != other.version || length != other.length) Different
    else if (tag.nonEmpty && tag == other.tag) Same
    else if (path != other.path) comparePaths(other)
    else if (tag.nonEmpty && other.tag.nonEmpty) Undecided
    else if (isSameTime(other)) Same
    else Undecided

  /** A staged commit is published by copying it to the name of its version; each one staged is another commit. */
  private def comparePaths(other: CommitIdentity): Answer =
    (isStaged, other.isStaged) match {
      case (true, true) => Different
      case (false, false) => Undecided
      case _ => Same
    }

  private def isStaged: Boolean = FileNames.isUnbackfilledDeltaFile(new Path(path))

  /** A store may give fewer digits of the time by name than in a listing. */
  private def isSameTime(other: CommitIdentity): Boolean =
    modified == other.modified ||
      modified / 1000 == other.modified / 1000 && (modified % 1000 == 0 || other.modified % 1000 == 0)
}

private[stream] object CommitIdentity {

  sealed abstract class Answer
  case object Same extends Answer
  case object Different extends Answer

  /** Only what both hold can tell. */
  case object Undecided extends Answer

  def of(file: CommitFile): CommitIdentity =
    CommitIdentity(
      file.version,
      file.path,
      file.status.getLen,
      file.status.getModificationTime,
      file.status match {
        case tagged: EtagSource => Option(tagged.getEtag).filter(_.nonEmpty)
        case _ => None
      }
    )
}
