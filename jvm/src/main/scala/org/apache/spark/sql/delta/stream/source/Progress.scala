// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import scala.math.BigDecimal.RoundingMode

import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.model.{Commit, FileList, IndexInVersion, Position}
import org.apache.spark.sql.delta.stream.plan.{BatchEndReason, Planner, ScanStep}
import org.apache.spark.sql.delta.stream.source.StreamState.{AvailableNow, Unbounded, Until}

/**
 * What a running stream reports about itself. Reads only the stream's state, never the log, files or Spark,
 * so that a report costs nothing and cannot fail (docs/internals/design/0009-lag.md).
 */
private[source] final class Progress(
    stateRef: StreamStateRef,
    scanner: LogScanner,
    planner: Planner,
    settings: StreamSettings,
    clock: StreamClock
) {

  private val readsEvery = planner.acceptsAllFiles && settings.excludeRegex.isEmpty

  /** Returns the end of the latest version seen, or None if none was seen yet. */
  def latestKnown: Option[Position] = {
    val state = stateRef.get
    val listed = state.tail.files.lastOption.map(_.version) ++ state.tail.latestVersion
    val seen = listed ++ state.snapshot.map(_.version)
    val runEnd = state.runEnd match {
      case Until(end) => Some(end)
      case Unbounded | AvailableNow => None
    }
    (seen.map(end) ++ runEnd ++ state.latestOffset).maxOption
  }

  /** @param consumed the end of the last batch; None before the first, when the query is at its start */
  def metrics(consumed: Option[Position]): Seq[Metric] = {
    val state = stateRef.get
    val at = consumed.orElse(state.start)
    Metric.all(state, at, at.map(Lag.of(state, _, clock.epochMillis(), reads)))
  }

  /** Runs and times the planning of where a batch ends. */
  def planning[T](plan: => T): T = timed(plan, isPlanning = true)

  /** Runs and times the building of the batch, and adds that to the planning time. */
  def building[T](build: => T): T = timed(build, isPlanning = false)

  private def timed[T](work: => T, isPlanning: Boolean): T = {
    val began = clock.monotonicMillis()
    val result = work
    val took = clock.monotonicMillis() - began
    stateRef.update(_.timed(took, isPlanning))
    result
  }

  /** Returns None if a filter has to select the files: filters run only when batches are planned. */
  private def reads(commit: Commit): Option[FileList] =
    scanner.step(commit, fileTime = 0) match {
      case step: ScanStep.VersionFiles =>
        Option.when(readsEvery || step.files.size == 0)(step.files)
      case _: ScanStep.SchemaChange | _: ScanStep.Blocked => None
    }

  private def end(version: Long): Position =
    Position(version, IndexInVersion.End, inSnapshot = false).normalized
}

/**
 * A number or word in the progress of a query, under a name that does not change (docs/reference/metrics.md).
 *
 * @param text the value as it appears there; None if it is not known
 */
private[source] final case class Metric(name: String, text: Option[String])

private[source] object Metric {

  /** Returns all metrics of a stream, at a position if that is known. */
  def all(state: StreamState, at: Option[Position], lag: Option[Lag]): Seq[Metric] = Seq(
    Metric("numVersionsOutstanding", lag.flatMap(_.versions).map(_.toString)),
    Metric("numFilesOutstanding", lag.flatMap(_.files).map(_.toString)),
    Metric("numBytesOutstanding", lag.flatMap(_.bytes).map(_.toString)),
    Metric("secondsOutstanding", lag.flatMap(_.milliseconds).map(seconds)),
    Metric("initialSnapshotPercent", at.flatMap(percent(state, _))),
    Metric("planningTimeMs", state.planningMillis.map(_.toString)),
    Metric("batchClosedBy", state.endReason.map(word))
  )

  private def seconds(milliseconds: Long): String =
    java.math.BigDecimal.valueOf(milliseconds, 3).stripTrailingZeros.toPlainString

  /** Returns at most 99.9 while a file is left, however the percentage rounds. */
  private def percent(state: StreamState, at: Position): Option[String] =
    for {
      snapshot <- state.snapshot if at.inSnapshot && at.version == snapshot.version
      size <- snapshot.knownSize if size > 0
      done = at.nextFileIndex(at.version).min(size)
    } yield {
      val rounded = (BigDecimal(done) * 100 / size).setScale(1, RoundingMode.HALF_UP)
      (if (done < size) rounded.min(BigDecimal("99.9")) else rounded).toString
    }

  private[stream] def word(endReason: BatchEndReason): String = endReason match {
    case BatchEndReason.MaxFiles => "maxFilesPerTrigger"
    case BatchEndReason.MaxBytes => "maxBytesPerTrigger"
    case BatchEndReason.SchemaChange => "schemaChange"
    case BatchEndReason.Failure => "problem"
    case BatchEndReason.EndOfRun => "availableNow"
    case BatchEndReason.EndOfTable => "endOfTable"
  }
}
