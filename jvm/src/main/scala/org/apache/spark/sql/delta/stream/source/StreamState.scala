// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import java.util.concurrent.atomic.AtomicReference

import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.stream.log.{LogTailCache, SnapshotFiles}
import org.apache.spark.sql.delta.stream.model.{CommitFile, Position}
import org.apache.spark.sql.delta.stream.plan.{BatchEndReason, ChangeFeedHistory, Plan}
import org.apache.spark.sql.delta.stream.source.StreamState.{AvailableNow, Until}

/**
 * Everything a running stream remembers between two calls from the engine. Immutable: each method below
 * returns the state after one named event, and `StreamStateRef` holds the current one.
 *
 * @param start        where a stream without a checkpoint starts, once resolved
 * @param startVersion the version that `startingVersion` or `startingTimestamp` resolved to
 * @param latest       the last answer to `latestOffset`
 * @param tail         the cached listing near the stream's position, and the last commits read
 * @param snapshot     the initial snapshot, while the stream reads it
 * @param planned      the last planned batch, until it is committed
 * @param endReason    why the last planned batch of this run ends where it does
 * @param planningMillis how long planning and building the last batch took
 * @param passed       the newest commit file that no batch needs any more
 * @param changeFeed   from which versions on the table's change feed was on or off
 * @param bound        where this run ends
 * @param hasCommitted whether this run has committed a batch
 * @param startChecked whether the offset this run resumes from was checked against the table
 */
private[source] final case class StreamState(
    start: Option[Position] = None,
    startVersion: Option[StartVersion] = None,
    latest: Option[Position] = None,
    tail: LogTailCache = LogTailCache.empty,
    snapshot: Option[SnapshotFiles] = None,
    planned: Option[StreamState.Planned] = None,
    endReason: Option[BatchEndReason] = None,
    planningMillis: Option[Long] = None,
    passed: Option[CommitFile] = None,
    changeFeed: ChangeFeedHistory = ChangeFeedHistory.unknown,
    bound: StreamState.Bound = StreamState.Unbounded,
    hasCommitted: Boolean = false,
    startChecked: Boolean = false
) {

  /** `latestOffset` was called: forgets the log's end if it was seen at or before `since` (clock ticks). */
  def startPlanning(since: Long): StreamState = copy(tail = tail.startCall.dropEndSeenBefore(since))

  /** The log is about to be scanned: what an earlier scan listed may have grown since. */
  def startScan: StreamState = copy(tail = tail.startCall)

  /** The log was read up to this tail; `recordsChanges` is the change feed setting if the commit sets it. */
  def scanned(tail: LogTailCache, recordsChanges: Option[(Long, Boolean)]): StreamState =
    copy(
      tail = tail,
      changeFeed = recordsChanges.foldLeft(changeFeed) { case (feed, (version, on)) =>
        feed.record(version, on)
      })

  /** A commit could not be read: a lookup may have found it, but the cache does not have it. */
  def scanFailed: StreamState = copy(tail = tail.withoutEnd)

  /** A plan was made. The commits it does not reach stay parsed, because the next batch starts with them. */
  def remember(plan: Plan): StreamState = copy(
    planned = Some(StreamState.Planned(plan, tail.read(plan.end.lastVersion).map(_.file))),
    endReason = if (plan.advances) Some(endReasonOf(plan)) else endReason,
    tail = tail.from(plan.end.version),
    passed = tail.before(plan.end.version).orElse(passed)
  )

  /** A batch was planned again after a restart. */
  def replayed(to: Position): StreamState = copy(tail = tail.from(to.version))

  /** The engine committed a batch: forgets what only batches up to there need. */
  def committed(to: Position): StreamState = copy(
    planned = planned.filter(_.plan.end > to),
    tail = tail.from(to.version),
    changeFeed = changeFeed.from(to.version)
  )

  /** The first batch of this run was committed. */
  def markCommitted: StreamState = copy(hasCommitted = true)

  /** Forgets the log. Keeps the last passed commit only if commit files are not rewritten during a run. */
  def forgetLog(rewritten: Boolean): StreamState =
    copy(tail = LogTailCache.empty, planned = None, passed = passed.filterNot(_ => rewritten))

  /** The log must be read again, because it may have changed. */
  def rescan: StreamState = copy(tail = LogTailCache.empty)

  /** `prepareForTriggerAvailableNow` was called: the next `latestOffset` decides where the run ends. */
  def availableNow: StreamState = copy(bound = AvailableNow)

  /** The run ends at this position; `newest` is the table's newest version at that time. */
  def boundedBy(end: Position, newest: Long, ticks: Long): StreamState =
    copy(bound = Until(end), tail = tail.withEnd(newest, ticks))

  /** The offset this run resumes from was checked; `recordsChanges` as of there, if known. */
  def checkedStart(passed: Boolean, version: Long, recordsChanges: Option[Boolean]): StreamState =
    copy(
      startChecked = passed,
      changeFeed = recordsChanges.foldLeft(changeFeed)(_.withStart(version, _)))

  def answered(end: Option[Position]): StreamState = copy(latest = end)

  def startsAt(position: Option[Position]): StreamState = copy(start = position)

  def resolved(version: StartVersion): StreamState = copy(startVersion = Some(version))

  def opened(files: SnapshotFiles): StreamState = copy(snapshot = Some(files))

  def released: StreamState = copy(snapshot = None)

  /** Planning or building took this many milliseconds; planning starts a new sum. */
  def timed(millis: Long, isPlanning: Boolean): StreamState =
    copy(planningMillis = Some(if (isPlanning) millis else planningMillis.getOrElse(0L) + millis))

  /** Why a batch ends, with the end of the run taken into account. */
  private def endReasonOf(plan: Plan): BatchEndReason = bound match {
    case Until(end)
        if plan.endReason == BatchEndReason.EndOfTable && plan.end.lastVersion >= end.lastVersion =>
      BatchEndReason.EndOfRun
    case _ => plan.endReason
  }
}

private[source] object StreamState {

  /** @param last the newest commit file the plan read, if it read any */
  final case class Planned(plan: Plan, last: Option[CommitFile]) {
    def answers(from: Position, to: Position): Boolean = from == plan.from && to == plan.end
  }

  /** How far a run of the query goes. */
  sealed abstract class Bound
  case object Unbounded extends Bound

  /** Ends at the newest version when `latestOffset` is first called. */
  case object AvailableNow extends Bound
  final case class Until(end: Position) extends Bound
}

/** The only mutable state of a running stream. Changed only through the transitions of [[StreamState]]. */
private[source] final class StreamStateRef {
  private val state = new AtomicReference(StreamState())

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
 * @param wall  since 1970; may be set back
 * @param ticks since some moment; never goes back
 */
private[source] final case class StreamClock(wall: () => Long, ticks: () => Long)

private[source] object StreamClock {
  val system: StreamClock = StreamClock(() => System.currentTimeMillis(), () => System.nanoTime() / 1000000)
}
