// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import java.util.concurrent.atomic.AtomicReference

import scala.math.Ordering.Implicits._

import org.apache.spark.internal.Logging

import org.apache.spark.sql.delta.stream.StreamSettings.Start
import org.apache.spark.sql.delta.stream.StreamState.{AvailableNow, Planned, Unbounded, Until}
import org.apache.spark.sql.delta.stream.log.{CommitFile, LogReader, SnapshotFiles, TableLog, Tail}
import org.apache.spark.sql.delta.stream.plan._
import org.apache.spark.sql.delta.stream.schema.StreamSchema
import org.apache.spark.sql.delta.stream.start.{StartMemory, StreamStart}
import org.apache.spark.sql.delta.{DeltaUnsupportedTableFeatureException, InvalidProtocolVersionException}

/**
 * A stream over one table, in positions and files: what Spark's `Source` asks for, without Spark. It reads each commit
 * once, answers a planned batch from its plan, and after a restart plans the same batch again from the log.
 *
 * @param initialVersion the version the stream's schema was taken from
 * @param startVersion   the version the user wants to start from, if any; asked at most once
 * @param memory         where the stream began, across restarts
 */
final class DeltaStream(
    log: TableLog,
    planner: Planner,
    schema: StreamSchema,
    settings: StreamSettings,
    initialVersion: Long,
    startVersion: () => Option[Long],
    memory: StartMemory,
    errors: StreamErrors
) extends Logging {

  private val reader = new LogReader(log, settings.listInterval, () => System.nanoTime() / 1000000)
  private val cell = new AtomicReference(StreamState())
  private val asked = settings.start.toString

  def state: StreamState = cell.get

  /** How far the next batch from there can reach, or none while a new stream has nothing to read. */
  def latest(from: Option[Position], budget: Budget): Option[Position] = {
    if (from.exists(!_.inSnapshot)) release()
    if (!settings.reuseLog) forget()
    val end = from.orElse(start()).flatMap { origin =>
      checkResume(from, origin)
      val bound = boundedBy(origin)
      val listings = state.tail.listings
      val plan = planner.plan(steps(origin, bound), origin, budget)
      if (plan.moved || state.tail.listings != listings) checkPassed(plan.moved)
      if (!plan.moved) plan.problem.foreach(problem => throw errors.of(problem))
      if (plan.moved && from.isEmpty)
        memory.remember(StreamStart(asked, origin, Some(plan.end)))
      remember(plan)
      if (plan.moved) Some(plan.end) else from
    }
    update(_.copy(latest = end))
    end
  }

  /** The files of the batch between these two. Must be the same whenever asked, by whichever process. */
  def files(from: Position, to: Position): Seq[PlannedFile] = {
    if (!from.inSnapshot) release()
    val plan = state.planned.filter(planned =>
      settings.reusePlan && planned.answers(from, to) && isThere(planned)) match {
      case Some(planned) => planned.plan
      case None => replay(from, to)
    }
    if (!settings.changes.reads(state.metadataAt(from.version).getOrElse(schema.metadata)))
      throw errors.of(Problem.NoChangeFeed(from.version, to.version))
    plan.files
  }

  /**
   * Where a batch begins. The offset log does not say where the first one did, but we remember. A checkpoint that
   * another has planned is read as delta-spark reads it: a start option is resolved again, without one the end tells
   * which snapshot it was (docs/design/0006-starting-points.md).
   */
  def begin(from: Option[Position], to: Position): Position = from.orElse(remembered(to)).getOrElse {
    if (settings.start == Start.Snapshot)
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
    forget()
  }

  private def forget(): Unit = update(_.copy(tail = Tail.unknown, planned = None, passed = None))

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
  def filesOf(commit: Commit): FileList = step(commit, committed = 0) match {
    case segment: Step.Segment => segment.files
    case Step.Barred(problem) => throw errors.of(problem)
  }

  private def step(commit: Commit, committed: Long): Step =
    schema.judge(commit).map(Step.Barred(_)).getOrElse {
      val time = new CommitTime(commit.info.flatMap(_.inCommitTimestamp).getOrElse(committed))
      val whole = Step.Segment(commit.version, inSnapshot = false, commit.files, commit.cut, time)
      settings.changes.judge(commit) match {
        case Verdict.Keep => whole
        case Verdict.Skip => whole.copy(files = FileList.empty)
        case Verdict.Refuse(problem) => Step.Barred(problem)
      }
    }

  /** Where a stream without a checkpoint begins; none for a table without a version. */
  def start(): Option[Position] = state.start.orElse {
    val found = if (settings.start == Start.Latest) waiting() else resolve()
    update(_.copy(start = found))
    found
  }

  /** `Latest` has another answer at each restart: a stream that saw nothing yet still waits where it once began. */
  private def waiting(): Option[Position] =
    memory.recall().filter(_.asked == asked).map(_.position).orElse {
      val resolved = resolve()
      resolved.foreach(position => memory.remember(StreamStart(asked, position, None)))
      resolved
    }

  private def resolve(): Option[Position] = startVersion() match {
    case Some(version) => Some(Position(version, Place.Begin, inSnapshot = false))
    case None if initialVersion < 0 => None
    case None => Some(Position(initialVersion, Place.Begin, inSnapshot = true))
  }

  private def remembered(end: Position): Option[Position] =
    memory.recall().filter(_.end.contains(end)).map(_.position)

  private def steps(from: Position, until: Option[Position]): Iterator[Step] =
    if (from.inSnapshot) {
      val files = snapshot(from.version)
      val committed = new CommitTime(files.inCommitTimestamp.getOrElse(time(from.version)))
      Iterator.single(Step.Segment(from.version, inSnapshot = true, files, committed = committed)) ++
        commits(from.version, from.version + 1, until)
    } else commits(from.version, from.version, until)

  /** @param batch the version the batch begins at, from which the times of versions are counted */
  private def commits(batch: Long, first: Long, until: Option[Position]): Iterator[Step] =
    Iterator.unfold((first, Option.empty[Long])) { case (version, time) =>
      if (until.exists(_.isBefore(version))) None
      else
        fetch(version) match {
          case Right(None) => None
          case Left(problem) => Some((Step.Barred(problem), (version + 1, time)))
          // Where losses are allowed, a gap that reaches past the end of the range is the end of the range.
          case Right(Some(read))
              if !settings.failOnDataLoss && until.exists(_.isBefore(read.file.version)) =>
            None
          case Right(Some(Tail.Read(file, commit))) =>
            val now = Tail.tick(time.orElse(state.tail.clock(batch, file.version)), file)
            val step = gap(version, file.version).getOrElse(this.step(commit, now))
            Some((step, (file.version + 1, Some(now))))
        }
    }

  private def gap(expected: Long, found: Long): Option[Step] =
    if (found == expected) None
    else if (settings.failOnDataLoss) Some(Step.Barred(Problem.MissingCommits(expected, found)))
    else {
      val known = state.tail.parsed.filter(read => read.file.version >= expected && read.file.version < found)
      logWarning(errors.skipped(expected, found - 1, known.map(_.commit)))
      None
    }

  private def time(version: Long): Long = {
    val (tail, found) = reader.time(state.tail, version)
    update(_.copy(tail = tail))
    found.getOrElse(throw errors.of(Problem.MissingTrailingCommit(version, version - 1)))
  }

  /** A commit that cannot be read is a problem of its place, not of the good ones before it. */
  private def fetch(version: Long): Either[Problem, Option[Tail.Read]] =
    try {
      val (tail, read) = reader.next(state.tail, version)
      update(state => read.foldLeft(state.copy(tail = tail))((state, read) => state.reading(read.commit)))
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
    val passed = state.tail.parsed.map(_.file).filter(_.version < plan.end.version).lastOption
    state.copy(
      planned = Some(Planned(plan, last)),
      tail = state.tail.from(plan.end.version),
      passed = passed.orElse(state.passed)
    )
  }

  /**
   * A table may be deleted and made anew while the stream waits: then what was read last is another file, or gone
   * though it was the newest. A version gone with newer ones there has only passed its retention.
   */
  private def checkPassed(moved: Boolean): Unit = state.passed.foreach { passed =>
    log.find(passed.version) match {
      case Some(found) if found.sameAs(passed) => ()
      case None if moved => ()
      case _ => throw errors.of(notTheSame(passed))
    }
  }

  private def notTheSame(passed: CommitFile): Problem = {
    val latest = log.latest()
    log.metadata(latest).map(_.id).filter(_ != schema.metadata.id) match {
      case Some(id) => Problem.OtherTable(id)
      case None if latest < passed.version => Problem.BeyondTable(passed.version, latest)
      case None => Problem.ReplacedCommit(passed.version, passed.path)
    }
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
      val metadata =
        if (origin.version < initialVersion) log.metadata(origin.version) else None
      val problem = metadata
        .flatMap(schema.judge(_, s"version ${origin.version}, where the stream starts"))
        .orElse(if (origin.version < initialVersion) None else from.flatMap(beyond))
      problem.foreach(found => throw errors.of(found))
      update(_.copy(checked = true, metadata = metadata.map(origin.version -> _).toVector))
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
