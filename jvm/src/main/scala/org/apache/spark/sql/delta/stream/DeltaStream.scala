// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.stream.StreamState.{AvailableNow, Planned, Unbounded, Until}
import org.apache.spark.sql.delta.stream.log.{SnapshotFiles, TableLog, Tail}
import org.apache.spark.sql.delta.stream.plan._
import org.apache.spark.sql.delta.stream.progress.Progress
import org.apache.spark.sql.delta.stream.schema.{SchemaTracker, StreamSchema, TableSchema}
import org.apache.spark.sql.delta.stream.start.{Beginning, StartMemory, StartVersion}

/**
 * A stream over one table, in positions and files: what Spark's `Source` asks for, without Spark. It reads each commit
 * once, answers a planned batch from its plan, and after a restart plans the same batch again from the log.
 *
 * @param initialVersion the version the stream's schema was taken from
 * @param startVersion   the version the user wants to start from, if any; asked at most once
 * @param memory         where the stream began, across restarts
 * @param tracker        the schemas it has come through, if it keeps a log of them
 */
final class DeltaStream(
    log: TableLog,
    planner: Planner,
    schema: StreamSchema,
    settings: StreamSettings,
    initialVersion: Long,
    startVersion: () => Option[StartVersion],
    memory: StartMemory,
    tracker: Option[SchemaTracker],
    errors: StreamErrors,
    clock: StreamClock = StreamClock.system
) {

  private val cell = new StreamCell
  private val route = new Route(log, schema, settings, errors, cell, clock)
  private val same = new SameLog(log, schema, initialVersion)
  private val beginning = new Beginning(settings, initialVersion, startVersion, memory, cell)

  def state: StreamState = cell.get

  /** What it tells of itself. */
  val progress: Progress = new Progress(cell, route, planner, settings, clock)

  /**
   * How far the next batch from there can reach, or none while a new stream has nothing to read. Reads what it needs of
   * the log; what it makes of that is decided by [[Answer.of]].
   */
  def latest(from: Option[Position], budget: Budget): Option[Position] = {
    letGo(from)
    val end = from.orElse(start()).flatMap { origin =>
      stopAt(if (from.isEmpty) tracker.flatMap(_.begin(origin, schemaAt)) else startProblem(from, origin))
      val plan = planned(origin, budget)
      // Costs a look: at the head of the log, where looks by name found nothing, the next listing is early enough.
      val mayDiffer = plan.moved || state.tail.isCurrent
      val other =
        if (mayDiffer)
          state.passed.flatMap(file => same.since(file, plan.moved, state.tail.listed(file.version)))
        else None
      Answer.of(Answer.Findings(from.isEmpty, plan, startProblem(from, origin), other)) match {
        case Answer.Stop(problem) => throw errors.of(problem)
        case Answer.Stay =>
          remember(plan)
          from
        case Answer.Move(end) =>
          if (from.isEmpty) beginning.remember(origin, end)
          remember(plan)
          Some(end)
      }
    }
    cell.update(_.copy(latest = end))
    end
  }

  /** What no batch from there on needs, or must not be taken from memory. */
  private def letGo(from: Option[Position]): Unit = {
    if (from.exists(!_.inSnapshot)) release()
    if (!settings.reuseLog) forget()
    cell.update(state =>
      state.copy(tail = state.tail.asked.endedSince(clock.ticks() - settings.listInterval)))
  }

  /** After a change of schema there is only the step over it. */
  private def planned(origin: Position, budget: Budget): Plan =
    if (origin.place == Place.SchemaChange)
      Plan.at(origin).reaching(Step.SchemaChange(origin.version).end).closed(Closing.SchemaChange)
    else planner.plan(route.steps(origin, boundedBy(origin), starting = false), origin, budget)

  /** The files of the batch between these two. Must be the same whenever asked, by whichever process. */
  def files(from: Position, to: Position): Seq[PlannedFile] = {
    if (!from.inSnapshot) release()
    val plan = state.planned.filter(planned =>
      settings.reusePlan && planned.answers(from, to) && isThere(planned)) match {
      case Some(planned) => planned.plan
      case None => replay(from, to)
    }
    if (!state.feed.at(from.version).getOrElse(settings.changes.reads(schema.metadata)))
      throw errors.of(Problem.NoChangeFeed(from.version, to.version))
    plan.files
  }

  /** Where a batch begins. */
  def begin(from: Option[Position], to: Position): Position = beginning.of(from, to)

  /** Nothing up to there will be asked for again. At a change of schema the run ends here, once it is written down. */
  def commit(to: Position): Unit = {
    to.place match {
      case Place.SchemaChange | Place.AfterSchemaChange => tracker.foreach(evolve(_, to.version))
      case Place.Begin | Place.File(_) | Place.End => ()
    }
    cell.update { state =>
      state.copy(
        planned = state.planned.filter(_.plan.end > to),
        tail = state.tail.from(to.version),
        feed = state.feed.from(to.version)
      )
    }
    beginning.done()
  }

  private def evolve(tracker: SchemaTracker, version: Long): Unit =
    route.fetch(version) match {
      case Right(Some(Tail.Read(_, commit))) if commit.version == version =>
        stopAt(tracker.evolve(version, commit.metadata, commit.protocol))
      case Right(_) => throw errors.of(Problem.MissingTrailingCommit(version, version - 1))
      case Left(problem) => throw errors.of(problem)
    }

  /** From now on this run ends where the table ends when `latest` is next asked. */
  def prepareForAvailableNow(): Unit = cell.update(_.copy(bound = AvailableNow))

  /** Lets go of the initial snapshot; may be called twice. */
  def release(): Unit = route.release()

  def stop(): Unit = {
    release()
    forget()
    beginning.stop()
  }

  private def forget(): Unit = {
    log.expect(Iterator.empty)
    cell.update(state =>
      state.copy(
        tail = Tail.unknown,
        planned = None,
        passed = state.passed.filterNot(_ => settings.rewrittenLog)))
  }

  /** The initial snapshot at this version, replacing one of another version. */
  def snapshot(version: Long): SnapshotFiles = route.snapshot(version)

  /** Everything on the way from there, lazily; files only from behind it. */
  def entries(from: Position, until: Option[Position]): Iterator[Entry] =
    planner.entries(
      route.steps(from, until, starting = false),
      from).map(_.fold(problem => throw errors.of(problem), identity))

  /** The files a commit adds to the stream; fails where the stream would. */
  def filesOf(commit: Commit): FileList = route.step(commit, committed = 0, starting = false) match {
    case segment: Step.Segment => segment.files
    case _: Step.SchemaChange => FileList.empty
    case Step.Barred(problem) => throw errors.of(problem)
  }

  /** Where a stream without a checkpoint begins; none for a table without a version. */
  def start(): Option[Position] = beginning.position()

  private def boundedBy(origin: Position): Option[Position] = state.bound match {
    case Unbounded => None
    case Until(end) => Some(end)
    case AvailableNow =>
      val latest = log.latest()
      val end = origin.max(Position(latest + 1, Place.Begin, inSnapshot = false))
      cell.update(state => state.copy(bound = Until(end), tail = state.tail.ending(latest, clock.ticks())))
      Some(end)
  }

  /** Commits the batch does not reach stay parsed, for the next one begins with them. */
  private def remember(plan: Plan): Unit = cell.update { state =>
    val last = state.tail.read(plan.end.lastVersion).map(_.file)
    val passed = state.tail.before(plan.end.version)
    state.copy(
      planned = Some(Planned(plan, last)),
      closing = if (plan.moved) Some(state.closingOf(plan)) else state.closing,
      tail = state.tail.from(plan.end.version),
      passed = passed.orElse(state.passed)
    )
  }

  /** The plan was made from commits that may have gone since, or been replaced. */
  private def isThere(planned: Planned): Boolean = planned.last.forall { file =>
    !settings.checkTrailingCommit || same.has(file).fold(problem => throw errors.of(problem), identity)
  }

  private def schemaAt(version: Long): TableSchema =
    log.schema(version).fold(error => throw error, identity)

  /** A stream that kept no log of schemas when this range was planned gets the one that reads all of it. */
  private def adopt(tracker: SchemaTracker, from: Position, to: Position): Unit = {
    val last = to.lastVersion
    val changed = (from.version to last).flatMap { version =>
      route.fetch(version).fold(problem => throw errors.of(problem), _.map(_.commit))
    }
    val found =
      tracker.adopt(
        from.version,
        last,
        schemaAt(from.version),
        changed.map(commit => commit.metadata -> commit.protocol))
    stopAt(found)
  }

  /** From the log as it is now: what was known of it may be what has changed. */
  private def replay(from: Position, to: Position): Plan = {
    cell.update(_.copy(tail = Tail.unknown))
    tracker.foreach(schemas =>
      if (schemas.isEmpty) adopt(schemas, from, to) else stopAt(schemas.begin(from, schemaAt)))
    stopAt(startProblem(Some(from), from))
    val plan = planner.range(route.steps(from, Some(to), starting = true), from, to)
    stopAt(plan.problem)
    if (settings.checkTrailingCommit && plan.end < to)
      throw errors.of(Problem.MissingTrailingCommit(to.lastVersion, plan.end.lastVersion))
    cell.update(state => state.copy(tail = state.tail.from(to.version)))
    plan
  }

  /** Once a run: the place may be older than the stream's schema, or know more than the table. */
  private def startProblem(from: Option[Position], origin: Position): Option[Problem] =
    if (state.checked) None
    else {
      val before =
        Option.when(tracker.isEmpty && origin.version < initialVersion)(startSchema(origin.version))
      val problem = before.fold(from.flatMap(same.beyond))(schema.judgeStart(origin.version, _))
      val known = before.flatMap(_.toOption).map(table => settings.changes.reads(table.metadata))
      cell.update { state =>
        val feed = known.foldLeft(state.feed)(_.startingWith(origin.version, _))
        state.copy(checked = problem.isEmpty, feed = feed)
      }
      problem
    }

  private def startSchema(version: Long): Either[Throwable, TableSchema] = {
    val seen = state.startVersion.filter(_.version == version).flatMap(_.schema)
    seen.fold(log.schema(version))(Right(_))
  }

  /** A problem ends the run. */
  private def stopAt(problem: Option[Problem]): Unit = problem.foreach(found => throw errors.of(found))
}
