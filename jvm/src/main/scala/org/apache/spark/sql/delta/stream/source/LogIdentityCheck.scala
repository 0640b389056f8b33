// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.log.TableLog
import org.apache.spark.sql.delta.stream.model.CommitIdentity.{Different, Same, Unknown}
import org.apache.spark.sql.delta.stream.model.{CommitFile, CommitIdentity, Position, Problem}
import org.apache.spark.sql.delta.stream.schema.SchemaChangePolicy

/**
 * Checks that the log is still the one that the stream has read: a table may be deleted and recreated at the
 * same path, while the stream waits or while no stream runs.
 */
private[source] final class LogIdentityCheck(
    log: TableLog,
    schemaPolicy: SchemaChangePolicy,
    analyzedVersion: Long) {

  /**
   * Returns a problem if the last commit that was read is now another file, or was the latest and is gone. If
   * there are newer commits, a missing one has only passed its retention. A file that was listed but never
   * read is compared by the id of its table.
   *
   * @param lastPassedCommit the last commit before those that are still to be read
   * @param hasNewer  true if there are newer commits
   * @param listed the commit of that version in the current listing; saves a lookup if it is the same file
   */
  def checkLastPassed(
      lastPassedCommit: CommitFile,
      hasNewer: Boolean,
      listed: Option[CommitFile]): Option[Problem] =
    if (listed.exists(_.identity.compare(lastPassedCommit.identity) == Same)) None
    else
      log.findKnown(lastPassedCommit.version).map(compare(_, lastPassedCommit)) match {
        case Some(Same) => None
        case Some(Unknown) if otherTable(log.latestVersion()).isEmpty => None
        case None if hasNewer => None
        case _ => Some(notTheSame(lastPassedCommit))
      }

  /** Returns whether a commit that was read still exists, or a problem if it is another file now. */
  def stillExists(read: CommitFile): Either[Problem, Boolean] =
    log.findKnown(read.version).map(compare(_, read)) match {
      case Some(Different) => Left(Problem.ReplacedCommit(read.version, read.path))
      case Some(Same | Unknown) => Right(true)
      case None => Right(false)
    }

  /**
   * Returns a problem if a run starts ahead of the table.
   *
   * @param reached the last offset of the earlier run, at `origin` or after it; the problem says what was read there
   * @param origin  where the run starts
   */
  def checkOffset(reached: Position, origin: Position): Option[Problem] = {
    val read = origin.lastReadVersion
    lazy val latest = log.latestVersion()
    Option.when(read > analyzedVersion && read > latest)(
      Problem.OffsetBeyondTable(reached.lastReadVersion, latest))
  }

  private def compare(found: CommitFile, read: CommitFile): CommitIdentity.Comparison =
    found.compare(read)(log.contentHash)

  private def notTheSame(lastPassedCommit: CommitFile): Problem = {
    val latest = log.latestVersion()
    otherTable(latest) match {
      case Some(id) => Problem.OtherTable(id, schemaPolicy.metadata.id)
      case None if latest < lastPassedCommit.version =>
        Problem.OffsetBeyondTable(lastPassedCommit.version, latest)
      case None => Problem.ReplacedCommit(lastPassedCommit.version, lastPassedCommit.path)
    }
  }

  /** Returns the id of the table that is now at the path, if it is another table. */
  private def otherTable(latest: Long): Option[String] =
    log.metadataAndProtocol(latest).toOption.map(_.metadata.id).filter(_ != schemaPolicy.metadata.id)
}
