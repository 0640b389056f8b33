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
  MetadataAndProtocol,
  Position,
  Problem,
  StreamErrors
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
import org.apache.spark.sql.delta.stream.schema.{SchemaChangePolicy, SchemaTracker}
import org.apache.spark.sql.delta.stream.source.StreamState.{AvailableNow, LastPlan, Unbounded, Until}

/**
 * A stream over one table, in positions and files: what Spark's `Source` needs, without Spark. Reads each
 * commit once, serves a planned batch from its plan, and after a restart plans it again from the log.
 *
 * @param analyzedVersion the version that the stream's schema was taken from
 * @param startVersion   returns the version the user wants to start from, if any; called at most once
 * @param initialOffsets stores where the stream started, across restarts
 * @param tracker        writes the schema log, if the stream tracks schemas
 */
private[delta] final class DeltaStream(
    log: TableLog,
    planner: Planner,
    schemaPolicy: SchemaChangePolicy,
    settings: StreamSettings,
    analyzedVersion: Long,
    startVersion: () => Option[StartVersion],
    initialOffsets: InitialOffsetStore,
    tracker: Option[SchemaTracker],
    errors: StreamErrors,
    clock: StreamClock = StreamClock.system
) {

  private val stateRef = new StreamStateRef(StreamState.initial(log, settings, clock))
  private val scanner = new LogScanner(log, schemaPolicy, settings, errors, stateRef, clock)
  private val logIdentity = new LogIdentityCheck(log, schemaPolicy, analyzedVersion)
  private val startCheck = new StartCheck(log, logIdentity, schemaPolicy, settings.commitPolicy, stateRef)
  private val startResolver =
    new StartOffsetResolver(settings, analyzedVersion, startVersion, initialOffsets, stateRef)

  def state: StreamState = stateRef.get

  val progress: Progress = new Progress(stateRef, scanner, planner, settings, clock)
  val idleWait: IdleWait = new IdleWait(stateRef, settings.maxIdleDelay, clock)

  /**
   * Returns where the next batch after `from` ends, or None while a new stream has nothing to read. Reads the
   * log only as far as it needs to; [[LatestOffsetDecision.of]] decides.
   */
  def latestOffset(from: Option[Position], budget: Budget): Option[Position] = {
    startPlanning(from)
    val end = from.orElse(startPosition()).flatMap(origin => planLatest(from, origin, budget))
    stateRef.update(_.latestOffsetReturned(end, hasNewData = end != from, clock.monotonicMillis()))
    end
  }

  private def planLatest(from: Option[Position], origin: Position, budget: Budget): Option[Position] = {
    val isFirst = from.isEmpty
    failOn(if (isFirst) tracker.flatMap(_.begin(origin, metadataAt)) else startCheck.once(from, origin))
    val plan = planBatch(origin, budget)
    val start = (if (isFirst) startCheck.once(from, origin) else None)
      .orElse(if (plan.advances) startCheck.ofLaterOnce(origin) else None)
    LatestOffsetDecision.of(LatestOffsetDecision.Inputs(isFirst, plan, start, logProblem(plan))) match {
      case LatestOffsetDecision.Fail(problem) => throw errors.toException(problem)
      case LatestOffsetDecision.Stay =>
        stateRef.update(_.batchPlanned(plan))
        from
      case LatestOffsetDecision.Advance(end) =>
        if (isFirst) startResolver.save(origin, end)
        stateRef.update(_.batchPlanned(plan))
        Some(end)
    }
  }

  /** Checks whether the log was replaced. May cost a lookup, so without new commits only a new listing is checked. */
  private def logProblem(plan: Plan): Option[Problem] =
    if (!plan.advances && !state.tail.isListingCurrent) None
    else
      state.lastPassedCommit.flatMap(passed =>
        logIdentity.checkLastPassed(passed, plan.advances, state.tail.findListed(passed.version)))

  /** Releases what no batch after `from` needs, and forgets what must be read again. */
  private def startPlanning(from: Option[Position]): Unit = {
    if (from.exists(!_.inSnapshot)) closeSnapshot()
    if (!settings.reuseLog) clearLogCache()
    stateRef.update(_.planningStarted(clock.monotonicMillis() - settings.listInterval))
  }

  /** Plans a batch after `origin`. At a schema change that is tracked, the batch only steps over the change. */
  private def planBatch(origin: Position, budget: Budget): Plan =
    if (tracker.nonEmpty && origin.index == IndexInVersion.SchemaChange)
      Plan.empty(origin).advancedTo(
        ScanStep.SchemaChange(origin.version).end).withEndReason(BatchEndReason.SchemaChange)
    else planner.plan(scanner.steps(origin, runEnd(origin), isReplay = false), origin, budget)

  /** Returns the files of a batch. They must be the same at every call, in any process. */
  def files(from: Position, to: Position): Seq[PlannedFile] = {
    if (!from.inSnapshot) closeSnapshot()
    val plan = state.lastPlan.filter(last =>
      settings.reusePlan && last.answers(from, to) && lastCommitExists(last)) match {
      case Some(last) => last.plan
      case None => replay(from, to)
    }
    if (!state.changeFeed.at(from.version).getOrElse(
        settings.commitPolicy.allowsBatchStart(schemaPolicy.metadata)))
      throw errors.toException(Problem.NoChangeFeed(from.version, to.version))
    plan.files
  }

  /** Returns where a batch starts: at `from`, or for the first batch where the stream starts. */
  def batchStart(from: Option[Position], to: Position): Position = startResolver.batchStart(from, to)

  /** Forgets what only batches up to `to` need. At a schema change, logs the schema and ends the run. */
  def commit(to: Position): Unit = {
    to.index match {
      case IndexInVersion.SchemaChange | IndexInVersion.AfterSchemaChange =>
        tracker.foreach(evolve(_, to.version))
      case IndexInVersion.Begin | IndexInVersion.File(_) | IndexInVersion.End => ()
    }
    stateRef.update(_.batchCommitted(to))
    startResolver.batchCommitted()
  }

  private def evolve(tracker: SchemaTracker, version: Long): Unit =
    getOrThrow(scanner.fetch(version)) match {
      case Some(LogTailCache.ParsedCommit(_, commit)) if commit.version == version =>
        failOn(tracker.evolve(version, commit.metadata, commit.protocol))
      case _ => throw errors.toException(Problem.MissingTrailingCommit(version, version - 1))
    }

  /** Ends this run at the version that is the latest when `latestOffset` is called next. */
  def prepareForAvailableNow(): Unit = stateRef.update(_.availableNowRequested)

  def closeSnapshot(): Unit = scanner.closeSnapshot()

  def stop(): Unit = {
    closeSnapshot()
    clearLogCache()
    startResolver.stop()
  }

  private def clearLogCache(): Unit = {
    log.prefetch(Iterator.empty)
    stateRef.update(_.cacheCleared(settings.commitFilesMayChange))
  }

  /** Returns the initial snapshot at this version, and closes one of another version. */
  def snapshot(version: Long): SnapshotFiles = scanner.snapshot(version)

  /** Returns every file and sentinel of the scan, lazily; files only after `from`. */
  def entries(from: Position, until: Option[Position]): Iterator[ScanEntry] =
    planner.entries(scanner.steps(from, until, isReplay = false), from).map(getOrThrow)

  /** Returns the files a commit adds to the stream. Fails where the stream would fail. */
  def streamFiles(commit: Commit): FileList = scanner.step(commit, fileTime = 0) match {
    case step: ScanStep.VersionFiles => step.files
    case _: ScanStep.SchemaChange => FileList.empty
    case ScanStep.Blocked(problem) => throw errors.toException(problem)
  }

  /** Returns where a stream without a checkpoint starts, or None if the table has no version. */
  def startPosition(): Option[Position] = startResolver.position()

  private def runEnd(origin: Position): Option[Position] = state.runEnd match {
    case Unbounded => None
    case Until(end) => Some(end)
    case AvailableNow =>
      val latest = log.latestVersion()
      val end = origin.max(Position(latest + 1, IndexInVersion.Begin, inSnapshot = false))
      stateRef.update(_.runEndResolved(end, latest, clock.monotonicMillis()))
      Some(end)
  }

  /** Checks the last commit the plan read: it may have been deleted or replaced since. */
  private def lastCommitExists(last: LastPlan): Boolean = last.lastCommit.forall { file =>
    !settings.checkTrailingCommit || getOrThrow(logIdentity.stillExists(file))
  }

  private def metadataAt(version: Long): MetadataAndProtocol =
    log.metadataAndProtocol(version).fold(error => throw error, identity)

  /** Starts the schema log for a range planned without one, with the schema that can read all of it. */
  private def initializeSchemaLog(tracker: SchemaTracker, from: Position, to: Position): Unit = {
    val last = to.lastVersion
    val changed = (from.version to last).flatMap { version =>
      getOrThrow(scanner.fetch(version)).map(_.commit)
    }
    val actions = changed.map(commit => commit.metadata -> commit.protocol)
    failOn(tracker.initialize(from.version, last, metadataAt(from.version), actions))
  }

  /** Plans a batch again from the log as it is now: the cached part of the log may have changed. */
  private def replay(from: Position, to: Position): Plan = {
    stateRef.update(_.tailCleared)
    tracker.foreach(schemas =>
      if (schemas.isEmpty) initializeSchemaLog(schemas, from, to)
      else failOn(schemas.begin(from, metadataAt)))
    failOn(startCheck.once(Some(to), from).orElse(startCheck.ofLaterOnce(from)))
    val plan = planner.planRange(scanner.steps(from, Some(to), isReplay = true), from, to)
    failOn(plan.problem)
    if (settings.checkTrailingCommit && plan.end < to)
      throw errors.toException(Problem.MissingTrailingCommit(to.lastVersion, plan.end.lastVersion))
    stateRef.update(_.batchReplayed(to))
    plan
  }

  private def failOn(problem: Option[Problem]): Unit = getOrThrow(problem.toLeft(()))

  private def getOrThrow[A](result: Either[Problem, A]): A =
    result.fold(problem => throw errors.toException(problem), identity)
}
