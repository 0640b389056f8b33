// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import org.apache.spark.internal.Logging

import org.apache.spark.sql.delta.stream.log.{LogReader, SnapshotFiles, TableLog, Tail}
import org.apache.spark.sql.delta.stream.plan._
import org.apache.spark.sql.delta.stream.schema.{SchemaVerdict, StreamSchema}
import org.apache.spark.sql.delta.{DeltaUnsupportedTableFeatureException, InvalidProtocolVersionException}

/**
 * What lies ahead of a stream: the initial snapshot and the commits behind it as steps, each read when it is drawn and
 * judged by what the user asked for. What it has read stays in the stream's state.
 */
final class Route(
    log: TableLog,
    schema: StreamSchema,
    settings: StreamSettings,
    errors: StreamErrors,
    cell: StreamCell,
    clock: StreamClock
) extends Logging {

  private val reader = new LogReader(log, settings.listInterval, clock.ticks)

  /** @param starting what lies ahead was planned before this run */
  def steps(from: Position, until: Option[Position], starting: Boolean): Iterator[Step] = {
    ask()
    if (from.inSnapshot) {
      val files = snapshot(from.version)
      val committed = new CommitTime(files.inCommitTimestamp.getOrElse(time(from.version)))
      Iterator.single(Step.Segment(from.version, inSnapshot = true, files, committed = committed)) ++
        commits(from.version, from.version + 1, until, starting)
    } else commits(from.version, from.version, until, starting)
  }

  /** What a commit is to the stream. */
  def step(commit: Commit, committed: Long, starting: Boolean): Step =
    schema.judge(commit, starting) match {
      case SchemaVerdict.Refuse(problem) => Step.Barred(problem)
      case SchemaVerdict.Evolve => Step.SchemaChange(commit.version)
      case SchemaVerdict.Keep =>
        val time = new CommitTime(commit.info.flatMap(_.inCommitTimestamp).getOrElse(committed))
        val whole = Step.Segment(commit.version, inSnapshot = false, commit.files, commit.cut, time)
        settings.changes.judge(commit) match {
          case Verdict.Keep => whole
          case Verdict.Skip => whole.copy(files = FileList.empty)
          case Verdict.Refuse(problem) => Step.Barred(problem)
        }
    }

  /** The first commit at or after a version. A commit that cannot be read is a problem of its place alone. */
  def fetch(version: Long): Either[Problem, Option[Tail.Read]] = {
    ask()
    draw(version)
  }

  private def ask(): Unit = cell.update(state => state.copy(tail = state.tail.asked))

  private def draw(version: Long): Either[Problem, Option[Tail.Read]] =
    try {
      val (tail, read) = reader.next(cell.get.tail, version)
      cell.update(state =>
        state.copy(tail = tail, feed = read.foldLeft(state.feed)((feed, read) => met(feed, read.commit))))
      Right(read)
    } catch {
      case e @ (_: StreamException | _: DeltaUnsupportedTableFeatureException | _: InvalidProtocolVersionException) =>
        // A look may have found it, but nothing was kept of that.
        cell.update(state => state.copy(tail = state.tail.endUnknown))
        Left(Problem.Unreadable(e))
    }

  private def met(feed: FeedHistory, commit: Commit): FeedHistory =
    commit.metadata.fold(feed)(metadata => feed.met(commit.version, settings.changes.reads(metadata)))

  /** The initial snapshot at this version, replacing one of another version. */
  def snapshot(version: Long): SnapshotFiles = cell.get.snapshot.filter(_.version == version).getOrElse {
    release()
    val opened = log.snapshot(version)
    cell.update(_.copy(snapshot = Some(opened)))
    opened
  }

  /** Lets go of the initial snapshot; may be called twice. */
  def release(): Unit =
    cell
      .getAndUpdate(_.copy(snapshot = None))
      .snapshot
      .foreach(held => held.close(unpersistSnapshot = held.version < log.known()))

  /** @param batch the version the batch begins at, from which the times of versions are counted */
  private def commits(
      batch: Long,
      first: Long,
      until: Option[Position],
      starting: Boolean
  ): Iterator[Step] =
    if (!settings.failOnDataLoss && !schema.toleratesLosses)
      Iterator.single(Step.Barred(Problem.UntrackableLosses))
    else read(batch, first, until, starting)

  private def read(
      batch: Long,
      first: Long,
      until: Option[Position],
      starting: Boolean
  ): Iterator[Step] =
    Iterator.unfold((first, Option.empty[Long])) { case (version, time) =>
      if (until.exists(_.isBefore(version))) None
      else
        draw(version) match {
          case Right(None) => None
          case Left(problem) => Some((Step.Barred(problem), (version + 1, time)))
          // Where losses are allowed, a gap that reaches past the end of the range is the end of the range.
          case Right(Some(read))
              if !settings.failOnDataLoss && until.exists(_.isBefore(read.file.version)) =>
            None
          case Right(Some(Tail.Read(file, commit))) =>
            expect(file.version, until)
            val now = Tail.tick(time.orElse(cell.get.tail.clock(batch, file.version)), file)
            val step = gap(version, file.version).getOrElse(this.step(commit, now, starting))
            Some((step, (file.version + 1, Some(now))))
        }
    }

  /** What comes behind a version will be read next, as far as this goes. */
  private def expect(version: Long, until: Option[Position]): Unit =
    log.expect(cell.get.tail.behind(version).takeWhile(next => !until.exists(_.isBefore(next.version))))

  private def gap(expected: Long, found: Long): Option[Step] =
    if (found == expected) None
    else if (settings.failOnDataLoss) Some(Step.Barred(Problem.MissingCommits(expected, found)))
    else {
      val parsed = cell.get.tail.parsed
      val known = parsed.filter(read => read.file.version >= expected && read.file.version < found)
      logWarning(errors.skipped(expected, found - 1, known.map(_.commit)))
      None
    }

  private def time(version: Long): Long = {
    val (tail, found) = reader.time(cell.get.tail, version)
    cell.update(_.copy(tail = tail))
    found.getOrElse(throw errors.of(Problem.MissingTrailingCommit(version, version - 1)))
  }
}
