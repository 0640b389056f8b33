// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import scala.math.Ordering.Implicits._

import org.apache.spark.internal.Logging

import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.log.{LogPoller, LogTailCache, SnapshotFiles, TableLog}
import org.apache.spark.sql.delta.stream.model.{
  Commit,
  FileList,
  Position,
  Problem,
  StreamErrors,
  StreamException
}
import org.apache.spark.sql.delta.stream.plan.{CommitDecision, CommitTime, ScanStep}
import org.apache.spark.sql.delta.stream.schema.{SchemaChangePolicy, SchemaDecision}
import org.apache.spark.sql.delta.{DeltaUnsupportedTableFeatureException, InvalidProtocolVersionException}

/**
 * Scans the log ahead of a stream: the initial snapshot and the commits after it, as steps. Reads each step
 * when it is consumed and checks it against the user's options. Keeps what it has read in the stream's state.
 */
private[source] final class LogScanner(
    log: TableLog,
    schemaPolicy: SchemaChangePolicy,
    settings: StreamSettings,
    errors: StreamErrors,
    stateRef: StreamStateRef,
    clock: StreamClock
) extends Logging {

  private val poller = new LogPoller(log, settings.listInterval, clock.monotonicMillis)

  /** @param isReplay true if the range was planned before this run */
  def steps(from: Position, until: Option[Position], isReplay: Boolean): Iterator[ScanStep] = {
    startScan()
    if (from.inSnapshot) {
      val files = snapshot(from.version)
      val committed = new CommitTime(files.inCommitTimestamp.getOrElse(time(from.version)))
      Iterator.single(ScanStep.VersionFiles(
        from.version,
        inSnapshot = true,
        files,
        commitTime = committed)) ++
        commits(from.version, from.version + 1, until, isReplay)
    } else commits(from.version, from.version, until, isReplay)
  }

  /**
   * Returns the step for a commit: its files, a schema change, or a problem.
   *
   * @param replayedTo the end of the range, if it was planned before this run. A run that did not track schema
   *                   changes may have planned it across one, and then the change does not end the batch
   */
  def step(commit: Commit, fileTime: Long, replayedTo: Option[Position] = None): ScanStep = {
    val change = ScanStep.SchemaChange(commit.version)
    schemaPolicy.decide(commit, isReplay = replayedTo.nonEmpty) match {
      case SchemaDecision.Fail(problem) => ScanStep.Blocked(problem)
      case SchemaDecision.Evolve if !replayedTo.exists(_ > change.end) => change
      case SchemaDecision.Evolve | SchemaDecision.Keep => versionFiles(commit, fileTime)
    }
  }

  private def versionFiles(commit: Commit, fileTime: Long): ScanStep = {
    val time = new CommitTime(commit.info.flatMap(_.inCommitTimestamp).getOrElse(fileTime))
    val whole =
      ScanStep.VersionFiles(commit.version, inSnapshot = false, commit.files, commit.splitRule, time)
    settings.commitPolicy.decide(commit) match {
      case CommitDecision.Keep => whole
      case CommitDecision.Skip => whole.copy(files = FileList.empty)
      case CommitDecision.Fail(problem) => ScanStep.Blocked(problem)
    }
  }

  /** Reads the first commit at or after `version`. An unreadable commit blocks only its own version. */
  def fetch(version: Long): Either[Problem, Option[LogTailCache.ParsedCommit]] = {
    startScan()
    readNext(version)
  }

  private def startScan(): Unit = stateRef.update(_.scanStarted)

  private def readNext(version: Long): Either[Problem, Option[LogTailCache.ParsedCommit]] =
    try {
      val (tail, read) = poller.next(stateRef.get.tail, version)
      stateRef.update(_.scanned(tail, read.flatMap(found => allowsBatchStart(found.commit))))
      Right(read)
    } catch {
      case e @ (_: StreamException | _: DeltaUnsupportedTableFeatureException | _: InvalidProtocolVersionException) =>
        // A lookup may have found the commit, but the cache does not have it.
        stateRef.update(_.scanFailed)
        Left(Problem.Unreadable(e))
    }

  private def allowsBatchStart(commit: Commit): Option[(Long, Boolean)] =
    commit.metadata.map(metadata => commit.version -> settings.commitPolicy.allowsBatchStart(metadata))

  /** Returns the initial snapshot at this version, and closes one of another version. */
  def snapshot(version: Long): SnapshotFiles = stateRef.get.snapshot.filter(_.version == version).getOrElse {
    closeSnapshot()
    val opened = log.snapshot(version)
    stateRef.update(_.snapshotOpened(opened))
    opened
  }

  /** Closes the initial snapshot, if one is open; may be called twice. */
  def closeSnapshot(): Unit =
    stateRef
      .getAndUpdate(_.snapshotReleased)
      .snapshot
      .foreach(held => held.close(unpersistSnapshot = held.version < log.cachedLatestVersion()))

  /** @param batchStartVersion the version the batch starts at, from which commit times are counted */
  private def commits(
      batchStartVersion: Long,
      first: Long,
      until: Option[Position],
      isReplay: Boolean
  ): Iterator[ScanStep] =
    if (settings.failOnDataLoss || schemaPolicy.toleratesDataLoss)
      read(batchStartVersion, first, until, isReplay)
    else if (isReplay && until.exists(_.endsBefore(first))) Iterator.empty
    else Iterator.single(ScanStep.Blocked(Problem.DataLossNotAllowedWithTracking))

  private def read(
      batchStartVersion: Long,
      first: Long,
      until: Option[Position],
      isReplay: Boolean
  ): Iterator[ScanStep] =
    Iterator.unfold((first, Option.empty[Long])) { case (version, time) =>
      if (until.exists(_.endsBefore(version))) None
      else
        readNext(version) match {
          case Right(None) => None
          case Left(problem) => Some((ScanStep.Blocked(problem), (version + 1, time)))
          // If data loss is allowed and the next commit lies after the range, the range is done.
          case Right(Some(read))
              if !settings.failOnDataLoss && until.exists(_.endsBefore(read.file.version)) =>
            None
          case Right(Some(LogTailCache.ParsedCommit(file, commit))) =>
            prefetch(file.version, until)
            val now =
              LogTailCache.monotonicTime(
                time.orElse(stateRef.get.tail.timeBefore(batchStartVersion, file.version)),
                file)
            val step =
              gap(version, file.version).getOrElse(this.step(commit, now, until.filter(_ => isReplay)))
            Some((step, (file.version + 1, Some(now))))
        }
    }

  /** Prefetches the listed commits after `version`, up to `until`. */
  private def prefetch(version: Long, until: Option[Position]): Unit =
    log.prefetch(stateRef.get.tail.after(version).takeWhile(next =>
      !until.exists(_.endsBefore(next.version))))

  private def gap(expected: Long, found: Long): Option[ScanStep] =
    if (found == expected) None
    else if (settings.failOnDataLoss) {
      val isPreceded = expected > 0 && log.find(expected - 1).nonEmpty
      Some(ScanStep.Blocked(Problem.MissingCommits(expected, found, isPreceded)))
    } else {
      val parsed = stateRef.get.tail.parsed
      val known = parsed.filter(read => read.file.version >= expected && read.file.version < found)
      logWarning(errors.skippedVersionsMessage(expected, found - 1, known.map(_.commit)))
      None
    }

  private def time(version: Long): Long = {
    val (tail, found) = poller.time(stateRef.get.tail, version)
    stateRef.update(_.scanned(tail, None))
    found.getOrElse(throw errors.toException(Problem.MissingTrailingCommit(version, version - 1)))
  }
}
