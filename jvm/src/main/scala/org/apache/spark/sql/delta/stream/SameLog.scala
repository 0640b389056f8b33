// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import org.apache.spark.sql.delta.stream.log.CommitIdentity.{Different, Same, Undecided}
import org.apache.spark.sql.delta.stream.log.{CommitFile, CommitIdentity, TableLog}
import org.apache.spark.sql.delta.stream.plan.{Position, Problem}
import org.apache.spark.sql.delta.stream.schema.StreamSchema

/**
 * Whether the log is still the one that the stream has read: a table may be deleted and recreated at the same path,
 * while the stream waits or while none runs.
 */
private[stream] final class SameLog(log: TableLog, schema: StreamSchema, initialVersion: Long) {

  /**
   * What is wrong if the commit before is another file, or gone though it was the newest. A version gone with newer
   * ones there has only passed its retention. A file that was listed but never read is told from another one by the
   * table it is of.
   *
   * @param passed the commit before those that are still to be read
   * @param moved  whether there were newer ones
   * @param listed the commit of its version as it was just listed, which spares a look if it is the same
   */
  def since(passed: CommitFile, moved: Boolean, listed: Option[CommitFile]): Option[Problem] =
    if (listed.exists(_.identity.compare(passed.identity) == Same)) None
    else
      log.find(passed.version).map(compare(_, passed)) match {
        case Some(Same) => None
        case Some(Undecided) if otherTable(log.latest()).isEmpty => None
        case None if moved => None
        case _ => Some(notTheSame(passed))
      }

  /** Whether a commit is there that was read; what is wrong if it is another file now. */
  def has(read: CommitFile): Either[Problem, Boolean] =
    log.find(read.version).map(compare(_, read)) match {
      case Some(Different) => Left(Problem.ReplacedCommit(read.version, read.path))
      case Some(Same | Undecided) => Right(true)
      case None => Right(false)
    }

  /** What is wrong if an earlier run was further than the table is. */
  def beyond(from: Position): Option[Problem] = {
    lazy val latest = log.latest()
    Option.when(from.lastVersion > initialVersion && from.lastVersion > latest) {
      Problem.BeyondTable(from.lastVersion, latest)
    }
  }

  private def compare(found: CommitFile, read: CommitFile): CommitIdentity.Answer =
    found.compare(read)(log.content)

  private def notTheSame(passed: CommitFile): Problem = {
    val latest = log.latest()
    otherTable(latest) match {
      case Some(id) => Problem.OtherTable(id, schema.metadata.id)
      case None if latest < passed.version => Problem.BeyondTable(passed.version, latest)
      case None => Problem.ReplacedCommit(passed.version, passed.path)
    }
  }

  /** The id of the table that is there now, if it is another one. */
  private def otherTable(latest: Long): Option[String] =
    log.schema(latest).toOption.map(_.metadata.id).filter(_ != schema.metadata.id)
}
