// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import java.util.concurrent.atomic.AtomicReference

import scala.math.Ordering.Implicits._

import org.apache.spark.internal.Logging

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.stream.StreamState.{AvailableNow, Planned, Unbounded, Until}
import org.apache.spark.sql.delta.stream.log.{LogReader, SnapshotFiles, TableLog, Tail}
import org.apache.spark.sql.delta.stream.plan._
import org.apache.spark.sql.delta.stream.schema.StreamSchema
import org.apache.spark.sql.delta.{DeltaUnsupportedTableFeatureException, InvalidProtocolVersionException}

/**
 * A stream over one table, in positions and files: what Spark's `Source` asks for, without Spark. It reads each commit
 * once, answers a planned batch from its plan, and after a restart plans the same batch again from the log.
 *
 * @param initialVersion the version the stream's schema was taken from
 * @param startVersion   the version the user wants to start from, if any; asked at most once
 */
final class DeltaStream(
    log: TableLog,
    planner: Planner,
    schema: StreamSchema,
    settings: StreamSettings,
    initialVersion: Long,
    startVersion: () => Option[Long],
    errors: StreamErrors
) extends Logging {

  private val reader = new LogReader(log, settings.listInterval, () => System.nanoTime() / 1000000)
  private val cell = new AtomicReference(StreamState())

  def state: StreamState = cell.get

  /** How far the next batch from there can reach, or none while a new stream has nothing to read. */
  def latest(from: Option[Position], budget: Budget): Option[Position] = {
    if (from.exists(!_.inSnapshot)) release()
    val end = from.orElse(start()).flatMap { origin =>
      checkResume(from, origin)
      val bound = boundedBy(origin)
      val plan = planner.plan(steps(origin, bound), origin, budget)
      if (!plan.moved) plan.problem.foreach(problem => throw errors.of(problem))
      remember(plan)
      if (plan.moved) Some(plan.end) else from
    }
    update(_.copy(latest = end))
    end
  }

  /** The files of the batch between these two. Must be the same whenever asked, by whichever process. */
  def files(from: Position, to: Position): Seq[AddFile] = {
    if (!from.inSnapshot) release()
    state.planned.filter(planned =>
      settings.reusePlan && planned.answers(from, to) && isThere(planned)) match {
      case Some(planned) => planned.plan.files
      case None => replay(from, to).files
    }
  }

  /**
   * Where a batch begins. The offset log does not say where the first one did: with a start option that is resolved
   * again, without one the end tells which snapshot it was (docs/design/0001-offsets.md).
   */
  def begin(from: Option[Position], to: Position): Position = from.getOrElse {
    if (settings.start == StreamSettings.Start.Snapshot)
      Position(if (to.inSnapshot) to.version else to.version - 1, Place.Begin, inSnapshot = true)
    else start().getOrElse(to)
  }

  /** Nothing up to there will be asked for again. */
  def commit(to: Position): Unit = update { state =>
    state.copy(planned = state.planned.filter(_.plan.end > to), tail = state.tail.from(to.version))
  }

  /** From now on this run ends where the table ends when `latest` is next asked. */
  def prepareForAvailableNow(): Unit = update(_.copy(bound = AvailableNow))

  /** Lets go of the initial snapshot; may be called twice. */
  def release(): Unit =
    cell
      .getAndUpdate(_.copy(snapshot = None))
      .snapshot
      .foreach(held => held.close(unpersistSnapshot = held.version < log.known()))

  def stop(): Unit = {
    release()
    update(_.copy(tail = Tail.unknown, planned = None))
  }

  /** The initial snapshot at this version, replacing one of another version. */
  def snapshot(version: Long): SnapshotFiles = state.snapshot.filter(_.version == version).getOrElse {
    release()
    val opened = log.snapshot(version)
    update(_.copy(snapshot = Some(opened)))
    opened
  }

  /** Everything on the way from there, lazily; files only from behind it. */
  def entries(from: Position, until: Option[Position]): Iterator[Entry] =
    planner.entries(steps(from, until), from).map(_.fold(problem => throw errors.of(problem), identity))

  /** The files a commit adds to the stream; fails where the stream would. */
  def filesOf(commit: Commit): FileList = step(commit) match {
    case segment: Step.Segment => segment.files
    case Step.Barred(problem) => throw errors.of(problem)
  }

  private def step(commit: Commit): Step =
    schema.judge(commit).map(Step.Barred(_)).getOrElse {
      settings.changes.judge(commit) match {
        case Verdict.Keep => Step.Segment(commit.version, inSnapshot = false, commit.adds)
        case Verdict.Skip => Step.Segment(commit.version, inSnapshot = false, FileList.empty)
        case Verdict.Refuse(problem) => Step.Barred(problem)
      }
    }

  /** Where a stream without a checkpoint begins; none for a table without a version. */
  def start(): Option[Position] = state.start.orElse {
    val resolved = startVersion() match {
      case Some(version) => Some(Position(version, Place.Begin, inSnapshot = false))
      case None if initialVersion < 0 => None
      case None => Some(Position(initialVersion, Place.Begin, inSnapshot = true))
    }
    update(_.copy(start = resolved))
    resolved
  }

  private def steps(from: Position, until: Option[Position]): Iterator[Step] =
    if (from.inSnapshot) {
      val files = snapshot(from.version)
      Iterator.single(Step.Segment(from.version, inSnapshot = true, files)) ++ commits(
        from.version + 1,
        until
      )
    } else commits(from.version, until)

  private def commits(first: Long, until: Option[Position]): Iterator[Step] = Iterator.unfold(first) {
    version =>
      if (until.exists(_.isBefore(version))) None
      else
        fetch(version) match {
          case Right(None) => None
          case Left(problem) => Some((Step.Barred(problem), version + 1))
          case Right(Some(Tail.Read(_, commit))) =>
            // Where losses are allowed, a gap that reaches past the end of the range is the end of the range.
            if (!settings.failOnDataLoss && until.exists(_.isBefore(commit.version))) None
            else Some((gap(version, commit.version).getOrElse(step(commit)), commit.version + 1))
        }
  }

  private def gap(expected: Long, found: Long): Option[Step] =
    if (found == expected) None
    else if (settings.failOnDataLoss) Some(Step.Barred(Problem.MissingCommits(expected, found)))
    else {
      logWarning(
        s"versions $expected to ${found - 1} are gone from the log and were skipped (failOnDataLoss=false)"
      )
      None
    }

  /** A commit that cannot be read is a problem of its place, not of the good ones before it. */
  private def fetch(version: Long): Either[Problem, Option[Tail.Read]] =
    try {
      val (tail, read) = reader.next(state.tail, version)
      update(_.copy(tail = tail))
      Right(read)
    } catch {
      case e @ (_: StreamException | _: DeltaUnsupportedTableFeatureException | _: InvalidProtocolVersionException) =>
        Left(Problem.Unreadable(e))
    }

  private def boundedBy(origin: Position): Option[Position] = state.bound match {
    case Unbounded => None
    case Until(end) => Some(end)
    case AvailableNow =>
      val end = origin.max(Position(log.latest() + 1, Place.Begin, inSnapshot = false))
      update(_.copy(bound = Until(end)))
      Some(end)
  }

  /** Commits the batch does not reach stay parsed, for the next one begins with them. */
  private def remember(plan: Plan): Unit = update { state =>
    val last = state.tail.read(plan.end.lastVersion).map(_.file)
    state.copy(planned = Some(Planned(plan, last)), tail = state.tail.from(plan.end.version))
  }

  /** The plan was made from commits that may have gone since, or been replaced. */
  private def isThere(planned: Planned): Boolean = planned.last.forall { file =>
    !settings.checkTrailingCommit || log.find(file.version).exists { found =>
      if (!found.sameAs(file)) throw errors.of(Problem.ReplacedCommit(file.version, file.path))
      true
    }
  }

  /** From the log as it is now: what was known of it may be what has changed. */
  private def replay(from: Position, to: Position): Plan = {
    checkResume(Some(from), from)
    update(_.copy(tail = Tail.unknown))
    val plan = planner.range(steps(from, Some(to)), from, to)
    plan.problem.foreach(problem => throw errors.of(problem))
    if (settings.checkTrailingCommit && plan.end < to)
      throw errors.of(Problem.MissingTrailingCommit(to.lastVersion, plan.end.lastVersion))
    update(state => state.copy(tail = state.tail.from(to.version)))
    plan
  }

  /** Once a run: a checkpoint may be older than the stream's schema, or know more than the table. */
  private def checkResume(from: Option[Position], origin: Position): Unit =
    if (!state.checked) {
      val problem =
        if (origin.version < initialVersion)
          log.metadata(origin.version).flatMap(schema.judge(
            _,
            s"version ${origin.version}, where the stream starts"
          ))
        else from.flatMap(beyond)
      problem.foreach(found => throw errors.of(found))
      update(_.copy(checked = true))
    }

  private def beyond(from: Position): Option[Problem] = {
    lazy val latest = log.latest()
    Option.when(from.lastVersion > initialVersion && from.lastVersion > latest) {
      Problem.BeyondTable(from.lastVersion, latest)
    }
  }

  private def update(change: StreamState => StreamState): Unit = {
    val _ = cell.updateAndGet(state => change(state))
  }
}
