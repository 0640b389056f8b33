// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.log.{LogTailCache, SnapshotFiles, TableLog}
import org.apache.spark.sql.delta.stream.model.{
  Commit,
  FileList,
  IndexInVersion,
  Position,
  Problem,
  StreamErrors,
  TableSchema
}
import org.apache.spark.sql.delta.stream.plan.{
  BatchEndReason,
  Budget,
  LatestOffsetDecision,
  Plan,
  PlannedFile,
  Planner,
  ScanEntry,
  ScanStep
}
import org.apache.spark.sql.delta.stream.schema.{SchemaTracker, StreamSchema}
import org.apache.spark.sql.delta.stream.source.StreamState.{AvailableNow, Planned, Unbounded, Until}

/**
 * A stream over one table, in positions and files: what Spark's `Source` needs, without Spark. Reads each
 * commit once, serves a planned batch from its plan, and after a restart plans it again from the log.
 *
 * @param initialVersion the version that the stream's schema was taken from
 * @param startVersion   returns the version the user wants to start from, if any; called at most once
 * @param memory         stores where the stream started, across restarts
 * @param tracker        writes the schema log, if the stream tracks schemas
 */
private[delta] final class DeltaStream(
    log: TableLog,
    planner: Planner,
    schema: StreamSchema,
    settings: StreamSettings,
    initialVersion: Long,
    startVersion: () => Option[StartVersion],
    memory: InitialOffsetStore,
    tracker: Option[SchemaTracker],
    errors: StreamErrors,
    clock: StreamClock = StreamClock.system
) {

  private val stateRef = new StreamStateRef
  private val scanner = new LogScanner(log, schema, settings, errors, stateRef, clock)
  private val logIdentity = new LogIdentityCheck(log, schema, initialVersion)
  private val startOffset = new StartOffsetResolver(settings, initialVersion, startVersion, memory, stateRef)

  def state: StreamState = stateRef.get

  val progress: Progress = new Progress(stateRef, scanner, planner, settings, clock)

  /**
   * Returns where the next batch after `from` ends, or None while a new stream has nothing to read. Reads the
   * log only as far as it needs to; [[LatestOffsetDecision.of]] decides.
   */
  def latest(from: Option[Position], budget: Budget): Option[Position] = {
    startPlanning(from)
    val end = from.orElse(start()).flatMap(origin => latestFrom(from, origin, budget))
    stateRef.update(_.answered(end))
    end
  }

  private def latestFrom(from: Option[Position], origin: Position, budget: Budget): Option[Position] = {
    val isFirst = from.isEmpty
    stopAt(if (isFirst) tracker.flatMap(_.begin(origin, schemaAt)) else startProblem(from, origin))
    val plan = planned(origin, budget)
    val start = if (isFirst) startProblem(from, origin) else None
    LatestOffsetDecision.of(LatestOffsetDecision.Inputs(isFirst, plan, start, logProblem(plan))) match {
      case LatestOffsetDecision.Fail(problem) => throw errors.of(problem)
      case LatestOffsetDecision.Stay =>
        stateRef.update(_.remember(plan))
        from
      case LatestOffsetDecision.Advance(end) =>
        if (isFirst) startOffset.remember(origin, end)
        stateRef.update(_.remember(plan))
        Some(end)
    }
  }

  /** Checks whether the log was replaced. May cost a lookup: without new commits, waits for a listing. */
  private def logProblem(plan: Plan): Option[Problem] =
    if (!plan.advances && !state.tail.isListingCurrent) None
    else
      state.passed.flatMap(passed =>
        logIdentity.since(passed, plan.advances, state.tail.findListed(passed.version)))

  /** Releases what no batch after `from` needs, and forgets what must be read again. */
  private def startPlanning(from: Option[Position]): Unit = {
    if (from.exists(!_.inSnapshot)) release()
    if (!settings.reuseLog) forget()
    stateRef.update(_.startPlanning(clock.ticks() - settings.listInterval))
  }

  /** Plans a batch after `origin`. At a schema change, the batch only steps over the change. */
  private def planned(origin: Position, budget: Budget): Plan =
    if (origin.index == IndexInVersion.SchemaChange)
      Plan.at(origin).advancedTo(
        ScanStep.SchemaChange(origin.version).end).withEndReason(BatchEndReason.SchemaChange)
    else planner.plan(scanner.steps(origin, boundedBy(origin), starting = false), origin, budget)

  /** Returns the files of a batch. They must be the same at every call, in any process. */
  def files(from: Position, to: Position): Seq[PlannedFile] = {
    if (!from.inSnapshot) release()
    val plan = state.planned.filter(planned =>
      settings.reusePlan && planned.answers(from, to) && isThere(planned)) match {
      case Some(planned) => planned.plan
      case None => replay(from, to)
    }
    if (!state.changeFeed.at(from.version).getOrElse(settings.commitPolicy.allowsBatchStart(schema.metadata)))
      throw errors.of(Problem.NoChangeFeed(from.version, to.version))
    plan.files
  }

  /** Returns where a batch starts: at `from`, or for the first batch where the stream starts. */
  def begin(from: Option[Position], to: Position): Position = startOffset.of(from, to)

  /** Forgets what only batches up to `to` need. At a schema change, logs the schema and ends the run. */
  def commit(to: Position): Unit = {
    to.index match {
      case IndexInVersion.SchemaChange | IndexInVersion.AfterSchemaChange =>
        tracker.foreach(evolve(_, to.version))
      case IndexInVersion.Begin | IndexInVersion.File(_) | IndexInVersion.End => ()
    }
    stateRef.update(_.committed(to))
    startOffset.done()
  }

  private def evolve(tracker: SchemaTracker, version: Long): Unit =
    scanner.fetch(version) match {
      case Right(Some(LogTailCache.ReadCommit(_, commit))) if commit.version == version =>
        stopAt(tracker.evolve(version, commit.metadata, commit.protocol))
      case Right(_) => throw errors.of(Problem.MissingTrailingCommit(version, version - 1))
      case Left(problem) => throw errors.of(problem)
    }

  /** Ends this run at the version that is the newest when `latest` is called next. */
  def prepareForAvailableNow(): Unit = stateRef.update(_.availableNow)

  def release(): Unit = scanner.release()

  def stop(): Unit = {
    release()
    forget()
    startOffset.stop()
  }

  private def forget(): Unit = {
    log.prefetch(Iterator.empty)
    stateRef.update(_.forgetLog(settings.commitFilesMayChange))
  }

  /** Returns the initial snapshot at this version, and closes one of another version. */
  def snapshot(version: Long): SnapshotFiles = scanner.snapshot(version)

  /** Returns every file and marker of the scan, lazily; files only after `from`. */
  def entries(from: Position, until: Option[Position]): Iterator[ScanEntry] =
    planner.entries(
      scanner.steps(from, until, starting = false),
      from).map(_.fold(problem => throw errors.of(problem), identity))

  /** Returns the files a commit adds to the stream. Fails where the stream would fail. */
  def filesOf(commit: Commit): FileList = scanner.step(commit, committed = 0, starting = false) match {
    case segment: ScanStep.Segment => segment.files
    case _: ScanStep.SchemaChange => FileList.empty
    case ScanStep.Blocked(problem) => throw errors.of(problem)
  }

  /** Returns where a stream without a checkpoint starts, or None if the table has no version. */
  def start(): Option[Position] = startOffset.position()

  private def boundedBy(origin: Position): Option[Position] = state.bound match {
    case Unbounded => None
    case Until(end) => Some(end)
    case AvailableNow =>
      val latest = log.latest()
      val end = origin.max(Position(latest + 1, IndexInVersion.Begin, inSnapshot = false))
      stateRef.update(_.boundedBy(end, latest, clock.ticks()))
      Some(end)
  }

  /** Checks the last commit the plan read: it may have been deleted or replaced since. */
  private def isThere(planned: Planned): Boolean = planned.last.forall { file =>
    !settings.checkTrailingCommit || logIdentity.has(file).fold(problem => throw errors.of(problem), identity)
  }

  private def schemaAt(version: Long): TableSchema =
    log.schema(version).fold(error => throw error, identity)

  /** Starts the schema log for a range planned without one, with the schema that can read all of it. */
  private def adopt(tracker: SchemaTracker, from: Position, to: Position): Unit = {
    val last = to.lastVersion
    val changed = (from.version to last).flatMap { version =>
      scanner.fetch(version).fold(problem => throw errors.of(problem), _.map(_.commit))
    }
    val found =
      tracker.adopt(
        from.version,
        last,
        schemaAt(from.version),
        changed.map(commit => commit.metadata -> commit.protocol))
    stopAt(found)
  }

  /** Plans a batch again from the log as it is now: the cached part of the log may have changed. */
  private def replay(from: Position, to: Position): Plan = {
    stateRef.update(_.rescan)
    tracker.foreach(schemas =>
      if (schemas.isEmpty) adopt(schemas, from, to) else stopAt(schemas.begin(from, schemaAt)))
    stopAt(startProblem(Some(from), from))
    val plan = planner.range(scanner.steps(from, Some(to), starting = true), from, to)
    stopAt(plan.problem)
    if (settings.checkTrailingCommit && plan.end < to)
      throw errors.of(Problem.MissingTrailingCommit(to.lastVersion, plan.end.lastVersion))
    stateRef.update(_.replayed(to))
    plan
  }

  /** Checks once per run whether the start is older than the stream's schema or ahead of the table. */
  private def startProblem(from: Option[Position], origin: Position): Option[Problem] =
    if (state.startChecked) None
    else {
      val before =
        Option.when(tracker.isEmpty && origin.version < initialVersion)(startSchema(origin.version))
      val problem = before.fold(from.flatMap(logIdentity.beyond))(schema.checkStart(origin.version, _))
      val known =
        before.flatMap(_.toOption).map(table => settings.commitPolicy.allowsBatchStart(table.metadata))
      stateRef.update(_.checkedStart(problem.isEmpty, origin.version, known))
      problem
    }

  private def startSchema(version: Long): Either[Throwable, TableSchema] = {
    val seen = state.startVersion.filter(_.version == version).flatMap(_.schema)
    seen.fold(log.schema(version))(Right(_))
  }

  private def stopAt(problem: Option[Problem]): Unit = problem.foreach(found => throw errors.of(found))
}
