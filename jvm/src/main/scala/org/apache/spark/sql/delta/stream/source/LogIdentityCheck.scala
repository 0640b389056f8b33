// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.log.TableLog
import org.apache.spark.sql.delta.stream.model.CommitIdentity.{Different, Same, Unknown}
import org.apache.spark.sql.delta.stream.model.{CommitFile, CommitIdentity, Position, Problem}
import org.apache.spark.sql.delta.stream.schema.StreamSchema

/**
 * Checks that the log is still the one that the stream has read: a table may be deleted and recreated at the
 * same path, while the stream waits or while no stream runs.
 */
private[source] final class LogIdentityCheck(log: TableLog, schema: StreamSchema, initialVersion: Long) {

  /**
   * Returns a problem if the last commit that was read is now another file, or was the newest and is gone. If
   * there are newer commits, a missing one has only passed its retention. A file that was listed but never
   * read is compared by the id of its table.
   *
   * @param passed the last commit before those that are still to be read
   * @param moved  true if there are newer commits
   * @param listed the commit of that version in the current listing; saves a lookup if it is the same file
   */
  def since(passed: CommitFile, moved: Boolean, listed: Option[CommitFile]): Option[Problem] =
    if (listed.exists(_.identity.compare(passed.identity) == Same)) None
    else
      log.find(passed.version).map(compare(_, passed)) match {
        case Some(Same) => None
        case Some(Unknown) if otherTable(log.latest()).isEmpty => None
        case None if moved => None
        case _ => Some(notTheSame(passed))
      }

  /** Returns whether a commit that was read still exists, or a problem if it is another file now. */
  def has(read: CommitFile): Either[Problem, Boolean] =
    log.find(read.version).map(compare(_, read)) match {
      case Some(Different) => Left(Problem.ReplacedCommit(read.version, read.path))
      case Some(Same | Unknown) => Right(true)
      case None => Right(false)
    }

  /** Returns a problem if the offset of an earlier run is ahead of the table. */
  def beyond(from: Position): Option[Problem] = {
    lazy val latest = log.latest()
    Option.when(from.lastVersion > initialVersion && from.lastVersion > latest) {
      Problem.OffsetBeyondTable(from.lastVersion, latest)
    }
  }

  private def compare(found: CommitFile, read: CommitFile): CommitIdentity.Comparison =
    found.compare(read)(log.content)

  private def notTheSame(passed: CommitFile): Problem = {
    val latest = log.latest()
    otherTable(latest) match {
      case Some(id) => Problem.OtherTable(id, schema.metadata.id)
      case None if latest < passed.version => Problem.OffsetBeyondTable(passed.version, latest)
      case None => Problem.ReplacedCommit(passed.version, passed.path)
    }
  }

  /** Returns the id of the table that is now at the path, if it is another table. */
  private def otherTable(latest: Long): Option[String] =
    log.schema(latest).toOption.map(_.metadata.id).filter(_ != schema.metadata.id)
}
