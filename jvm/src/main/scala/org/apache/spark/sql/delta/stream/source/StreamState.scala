// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import java.util.concurrent.atomic.AtomicReference

import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.log.{LogTailCache, SnapshotFiles, TableLog}
import org.apache.spark.sql.delta.stream.model.{CommitFile, Position}
import org.apache.spark.sql.delta.stream.plan.{BatchEndReason, ChangeFeedHistory, Plan}
import org.apache.spark.sql.delta.stream.source.StreamState.{AvailableNow, Until}

/**
 * Everything a running stream remembers between two calls from the engine. Immutable: each method below
 * returns the state after one named event, and `StreamStateRef` holds the current one.
 *
 * @param start        where a stream without a checkpoint starts, once resolved
 * @param startVersion the version that `startingVersion` or `startingTimestamp` resolved to
 * @param latestOffset the last answer to `latestOffset`
 * @param tail         the cached listing near the stream's position, and the last commits read
 * @param snapshot     the initial snapshot, while the stream reads it
 * @param lastPlan     the last planned batch, until it is committed
 * @param endReason    why the last planned batch of this run ends where it does
 * @param planningMillis how long planning and building the last batch took
 * @param lastPassedCommit the last commit file that no batch needs any more
 * @param changeFeed   from which versions on the table's change feed was on or off
 * @param runEnd       where this run ends
 * @param hasCommitted whether this run has committed a batch
 * @param isStartChecked whether the offset this run resumes from was checked against the table
 * @param isLaterStartChecked the same for a start that was not committed yet when the query was analyzed
 * @param idle         set while `latestOffset` finds nothing new; None before the first call and after a batch
 */
private[source] final case class StreamState(
    start: Option[Position] = None,
    startVersion: Option[StartVersion] = None,
    latestOffset: Option[Position] = None,
    tail: LogTailCache = LogTailCache.empty,
    snapshot: Option[SnapshotFiles] = None,
    lastPlan: Option[StreamState.LastPlan] = None,
    endReason: Option[BatchEndReason] = None,
    planningMillis: Option[Long] = None,
    lastPassedCommit: Option[CommitFile] = None,
    changeFeed: ChangeFeedHistory = ChangeFeedHistory.unknown,
    runEnd: StreamState.RunEnd = StreamState.Unbounded,
    hasCommitted: Boolean = false,
    isStartChecked: Boolean = false,
    isLaterStartChecked: Boolean = false,
    idle: Option[Idle] = None
) {

  /** `latestOffset` was called: forgets the log's end if it was seen at or before `staleBefore` (monotonic milliseconds). */
  def planningStarted(staleBefore: Long): StreamState =
    copy(tail = tail.invalidateListing.dropEndSeenBefore(staleBefore))

  /** The log is about to be scanned: what an earlier scan listed may have grown since. */
  def scanStarted: StreamState = copy(tail = tail.invalidateListing)

  /** The log was read up to this tail; `allowsBatchStart` is the change feed setting if the commit sets it. */
  def scanned(tail: LogTailCache, allowsBatchStart: Option[(Long, Boolean)]): StreamState =
    copy(
      tail = tail,
      changeFeed = allowsBatchStart.foldLeft(changeFeed) { case (feed, (version, on)) =>
        feed.record(version, on)
      })

  /** A commit could not be read: a lookup may have found it, but the cache does not have it. */
  def scanFailed: StreamState = copy(tail = tail.withoutEnd)

  /** A plan was made. The commits it does not reach stay parsed, because the next batch starts with them. */
  def batchPlanned(plan: Plan): StreamState = copy(
    lastPlan = Some(StreamState.LastPlan(plan, tail.parsedCommit(plan.end.lastVersion).map(_.file))),
    endReason = if (plan.advances) Some(endReasonOf(plan)) else endReason,
    tail = tail.from(plan.end.version),
    lastPassedCommit = tail.before(plan.end.version).orElse(lastPassedCommit)
  )

  /** A batch was planned again after a restart. */
  def batchReplayed(to: Position): StreamState = copy(tail = tail.from(to.version))

  /**
   * The engine committed a batch: forgets what only batches up to there need. The query is not idle, even if
   * another of its sources had the data.
   */
  def batchCommitted(to: Position): StreamState = copy(
    idle = None,
    lastPlan = lastPlan.filter(_.plan.end > to),
    tail = tail.from(to.version),
    changeFeed = changeFeed.from(to.version)
  )

  /** The first batch of this run was committed. */
  def firstBatchCommitted: StreamState = copy(hasCommitted = true)

  /** Forgets the log. Keeps the last consumed commit only if commit files are not rewritten during a run. */
  def cacheCleared(rewritten: Boolean): StreamState =
    copy(
      tail = LogTailCache.empty,
      lastPlan = None,
      lastPassedCommit = lastPassedCommit.filterNot(_ => rewritten))

  /** The log must be read again, because it may have changed. */
  def tailCleared: StreamState = copy(tail = LogTailCache.empty)

  /** `prepareForTriggerAvailableNow` was called: the next `latestOffset` decides where the run ends. */
  def availableNowRequested: StreamState = copy(runEnd = AvailableNow)

  /** The run ends at this position; `latest` is the table's latest version at that time. */
  def runEndResolved(end: Position, latest: Long, now: Long): StreamState =
    copy(runEnd = Until(end), tail = tail.withEnd(latest, now))

  /** The offset this run resumes from was checked; `allowsBatchStart` as of there, if known. */
  def startChecked(isValid: Boolean, version: Long, allowsBatchStart: Option[Boolean]): StreamState =
    copy(
      isStartChecked = isValid,
      changeFeed = allowsBatchStart.foldLeft(changeFeed)(_.withStart(version, _)))

  def laterStartChecked(isValid: Boolean): StreamState = copy(isLaterStartChecked = isValid)

  /**
   * `latestOffset` returns this.
   *
   * @param hasNewData whether there is something new; the stream is idle otherwise
   * @param now        monotonic milliseconds
   */
  def latestOffsetReturned(end: Option[Position], hasNewData: Boolean, now: Long): StreamState = copy(
    latestOffset = end,
    idle = Option.unless(hasNewData)(idle.fold(Idle.from(now))(_.lookedUp(now))))

  def startResolved(position: Option[Position]): StreamState = copy(start = position)

  def startVersionResolved(version: StartVersion): StreamState = copy(startVersion = Some(version))

  def snapshotOpened(files: SnapshotFiles): StreamState = copy(snapshot = Some(files))

  def snapshotReleased: StreamState = copy(snapshot = None)

  /** Planning or building took this many milliseconds; planning starts a new sum. */
  def timed(millis: Long, isPlanning: Boolean): StreamState =
    copy(planningMillis = Some(if (isPlanning) millis else planningMillis.getOrElse(0L) + millis))

  /** Why a batch ends, with the end of the run taken into account. */
  private def endReasonOf(plan: Plan): BatchEndReason = runEnd match {
    case Until(end)
        if plan.endReason == BatchEndReason.EndOfTable && plan.end.lastVersion >= end.lastVersion =>
      BatchEndReason.EndOfRun
    case _ => plan.endReason
  }
}

private[source] object StreamState {

  /**
   * Returns the state of a new run. What Delta listed when it loaded the table is not listed again, but a change
   * feed needs the times of earlier commits, too.
   */
  def initial(log: TableLog, settings: StreamSettings, clock: StreamClock): StreamState =
    if (settings.readChangeFeed) StreamState()
    else StreamState(tail = LogTailCache.of(log.cachedCommits(), clock.monotonicMillis()))

  /** @param lastCommit the latest commit file the plan read, if it read any */
  final case class LastPlan(plan: Plan, lastCommit: Option[CommitFile]) {
    def answers(from: Position, to: Position): Boolean = from == plan.from && to == plan.end
  }

  /** How far a run of the query goes. */
  sealed abstract class RunEnd
  case object Unbounded extends RunEnd

  /** Ends at the version that is the latest when `latestOffset` is first called. */
  case object AvailableNow extends RunEnd
  final case class Until(end: Position) extends RunEnd
}

/** The only mutable state of a running stream. Changed only through the transitions of [[StreamState]]. */
private[source] final class StreamStateRef(initial: StreamState) {
  private val state = new AtomicReference(initial)

  def get: StreamState = state.get

  def update(change: StreamState => StreamState): Unit = {
    val _ = getAndUpdate(change)
  }

  def getAndUpdate(change: StreamState => StreamState): StreamState =
    state.getAndUpdate(state => change(state))
}

/**
 * The driver's time, in milliseconds.
 *
 * @param epochMillis     since 1970; may be set back
 * @param monotonicMillis since some moment; never goes back
 * @param sleep           waits for this long; fails with `InterruptedException` if the thread is interrupted
 */
private[source] final case class StreamClock(
    epochMillis: () => Long,
    monotonicMillis: () => Long,
    sleep: Long => Unit)

private[source] object StreamClock {
  val system: StreamClock = StreamClock(
    () => System.currentTimeMillis(),
    () => System.nanoTime() / 1000000,
    Thread.sleep(_))
}
