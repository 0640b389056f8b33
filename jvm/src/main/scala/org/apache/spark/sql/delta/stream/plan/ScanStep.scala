// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.stream.model.{FileList, IndexInVersion, Position, Problem, SplitRule}

/** The next version of the log, as the scanner sees it. */
private[delta] sealed abstract class ScanStep

private[delta] object ScanStep {

  /**
   * The files of one version: those of the initial snapshot, or those that its commit adds to the stream.
   *
   * @param version    the table version
   * @param inSnapshot true for the initial snapshot
   * @param files      the files in stream order
   * @param splitRule  where a batch may end inside the version
   * @param commitTime the commit time; used only by a change feed
   */
  final case class VersionFiles(
      version: Long,
      inSnapshot: Boolean,
      files: FileList,
      splitRule: SplitRule = SplitRule.Anywhere,
      commitTime: CommitTime = CommitTime.unknown
  ) extends ScanStep {

    /** Returns the position at an index in this version. */
    def at(index: IndexInVersion): Position = Position(version, index, inSnapshot)

    /** Returns the files, each with its index, that a stream at `position` has not read yet. */
    def filesAfter(position: Position): Iterator[(PlannedFile, IndexInVersion)] = {
      val first = position.nextFileIndex(version)
      files.from(first).map(PlannedFile(
        this,
        _)).zip(Iterator.iterate(first)(_ + 1).map(IndexInVersion.File(_)))
    }
  }

  /**
   * A version that changes the schema or other metadata that the stream depends on. The run ends here, and a
   * restarted query continues with the new schema.
   */
  final case class SchemaChange(version: Long) extends ScanStep {

    /**
     * Where an empty batch after the change ends. Spark commits a batch only when it has planned the next one:
     * this empty batch makes it commit the batch before the change.
     */
    val end: Position = at(IndexInVersion.AfterSchemaChange)

    /**
     * Returns where a batch that starts at `position` ends: before the change. A batch that starts after the
     * change cannot advance.
     */
    def batchEnd(position: Position): Position = position.max(at(IndexInVersion.SchemaChange))

    private def at(index: IndexInVersion): Position = Position(version, index, inSnapshot = false)
  }

  /** The stream cannot continue past this version. */
  final case class Blocked(problem: Problem) extends ScanStep
}

/**
 * The time at which a version was committed, looked up when it is first needed.
 *
 * @param lookup returns the time in milliseconds since the epoch
 */
private[stream] final class CommitTime(lookup: => Long) {

  /** Milliseconds since the epoch. */
  lazy val milliseconds: Long = lookup
}

private[stream] object CommitTime {
  val unknown: CommitTime =
    new CommitTime(throw new NoSuchElementException("the commit time of this version is not known"))
}
