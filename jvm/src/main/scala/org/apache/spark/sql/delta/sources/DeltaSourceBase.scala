// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import scala.annotation.unused
import scala.math.Ordering.Implicits._
import scala.util.matching.Regex

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.connector.read.streaming.{SupportsAdmissionControl, SupportsTriggerAvailableNow}
import org.apache.spark.sql.execution.streaming.{Offset, Source}

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.actions.Action
import org.apache.spark.sql.delta.files.DeltaSourceSnapshot
import org.apache.spark.sql.delta.storage.ClosableIterator
import org.apache.spark.sql.delta.stream.log.parse.CommitParser
import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position, PositionCodec}
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.stream.source.DeltaStream

/**
 * The documented base of `DeltaSource`: Spark's interfaces, and the documented members, each a view of the
 * stream that also serves the engine's calls. Holds no state and decides nothing. The engine needs only the
 * interfaces.
 */
trait DeltaSourceBase extends Source with SupportsAdmissionControl with SupportsTriggerAvailableNow {

  protected def stream: DeltaStream
  protected def options: DeltaOptions
  protected def tableId: String

  /** Selects the file actions of a commit that the stream reads. */
  protected def fileActionFilter: CommitParser.FileActionFilter

  /** Returns the rows between two positions of the table, including the end. */
  def createDataFrameBetweenOffsets(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      startOffset: Option[DeltaSourceOffset],
      endOffset: DeltaSourceOffset
  ): DataFrame

  /** Returns the rows of the files added between two positions of the table. */
  def getFileChangesAndCreateDataFrame(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      endOffset: DeltaSourceOffset
  ): DataFrame

  /** The end of the last planned batch; null before the first one. */
  def previousOffset: DeltaSourceOffset =
    stream.state.latestOffset.map(PositionCodec.offset(tableId, _)).orNull

  /** The initial snapshot in use; null if there is none. */
  def initialState: DeltaSourceSnapshot =
    stream.state.snapshot.map(_.underlying).collect { case held: DeltaSourceSnapshot => held }.orNull

  /** The version of the initial snapshot in use; -1 if there is none. */
  def initialStateVersion: Long = stream.state.snapshot.fold(-1L)(_.version)

  /** Returns the files of the table at this version, which becomes the initial snapshot in use. */
  def getSnapshotAt(version: Long): Iterator[IndexedFile] =
    stream.snapshot(version).from(0).zipWithIndex.map { case (file, i) =>
      IndexedFile(version, i.toLong, file)
    }

  /** Closes and forgets the initial snapshot; does nothing if there is none. */
  def cleanUpSnapshotResources(): Unit = stream.closeSnapshot()

  def excludeRegex: Option[Regex] = options.excludeRegex

  /** Returns the version a stream without a checkpoint starts from, if the user chose one. */
  def getStartingVersion: Option[Long] = stream.startPosition().filterNot(_.inSnapshot).map(_.version)

  /** Returns the end of the first batch, or None if the table has no version or nothing to read yet. */
  def getStartingOffset(limits: Option[DeltaSource.AdmissionLimits]): Option[Offset] = {
    val end = stream
      .latestOffset(None, limits.fold(Budget.unlimited)(_.budget))
      .map(PositionCodec.offset(tableId, _))
    for (reached <- end; start <- stream.startPosition())
      assert(
        reached.reservoirVersion >= start.version,
        s"getChangesWithRateLimit returns an invalid version: ${reached.reservoirVersion} " +
          s"(expected: >= ${start.version})"
      )
    end
  }

  /** Returns the files and sentinels after this position that the options admit in one batch. */
  def getChangesWithRateLimit(
      fromVersion: Long,
      fromIndex: Long,
      isStartingVersion: Boolean
  ): Iterator[IndexedFile] = {
    val limits = DeltaSource.AdmissionLimits(options, getDefaultReadLimit)
    getFileChangesWithRateLimit(fromVersion, fromIndex, isStartingVersion, limits)
  }

  /** Returns the files and sentinels after this position, up to the end of the log. */
  def getChanges(fromVersion: Long, fromIndex: Long, isStartingVersion: Boolean): Iterator[IndexedFile] =
    getFileChanges(fromVersion, fromIndex, isStartingVersion)

  /** Returns the files and sentinels of the commits from this version on. */
  def filterAndIndexDeltaLogs(startVersion: Long): Iterator[IndexedFile] =
    stream.entries(Position(startVersion, IndexInVersion.Begin, inSnapshot = false), None).map(IndexedFile.of)

  /** Returns the files that a commit with these actions adds to the stream. Fails where the stream would. */
  def verifyStreamHygieneAndFilterAddFiles(actions: Seq[Action], version: Long): Seq[Action] =
    stream.streamFiles(CommitParser.of(version, actions.iterator, fileActionFilter)).from(0).toSeq

  /** Returns the last element, if there is one. */
  def iteratorLast[T](iter: Iterator[T]): Option[T] = iter.reduceOption((_, last) => last)

  // The same members under their names in 4.4.0, for code that links to them.

  def getFileChanges(
      fromVersion: Long,
      fromIndex: Long,
      isInitialSnapshot: Boolean,
      endOffset: Option[DeltaSourceOffset] = None,
      @unused verifyMetadataAction: Boolean = true
  ): ClosableIterator[IndexedFile] = {
    val from = position(fromVersion, fromIndex, isInitialSnapshot)
    val end = endOffset.map(PositionCodec.position)
    val entries = stream.entries(from, end).filter(_.position > from)
    closable(entries.takeWhile(entry => end.forall(entry.position <= _)).map(IndexedFile.of))
  }

  def getFileChangesWithRateLimit(
      fromVersion: Long,
      fromIndex: Long,
      isInitialSnapshot: Boolean,
      limits: Option[DeltaSource.AdmissionLimits] = Some(new DeltaSource.AdmissionLimits(options))
  )
      : ClosableIterator[IndexedFile] = {
    val changes = getFileChanges(fromVersion, fromIndex, isInitialSnapshot)
    closable(changes.takeWhile(file => limits.forall(_.admit(file))))
  }

  protected def position(version: Long, index: Long, inSnapshot: Boolean): Position =
    Position(version, PositionCodec.fromOffsetIndex(index), inSnapshot)

  private def closable[T](items: Iterator[T]): ClosableIterator[T] = {
    import ClosableIterator._
    items.toClosable
  }
}
