// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.progress

import scala.math.BigDecimal.RoundingMode

import org.apache.spark.sql.delta.stream.StreamState
import org.apache.spark.sql.delta.stream.plan.{Closing, Position}

/**
 * A number or word in the progress of a query, under a name that does not change (docs/progress.md).
 *
 * @param text how it stands there; none where it is not known
 */
final case class Metric(name: String, text: Option[String])

object Metric {

  /** Of a stream that has come to a position, if that is known. */
  def all(state: StreamState, at: Option[Position], lag: Option[Lag]): Seq[Metric] = Seq(
    Metric("numVersionsOutstanding", lag.flatMap(_.versions).map(_.toString)),
    Metric("numFilesOutstanding", lag.flatMap(_.files).map(_.toString)),
    Metric("numBytesOutstanding", lag.flatMap(_.bytes).map(_.toString)),
    Metric("secondsOutstanding", lag.flatMap(_.milliseconds).map(seconds)),
    Metric("initialSnapshotPercent", at.flatMap(percent(state, _))),
    Metric("planningTimeMs", state.planning.map(_.toString)),
    Metric("batchClosedBy", state.closing.map(word))
  )

  private def seconds(milliseconds: Long): String =
    java.math.BigDecimal.valueOf(milliseconds, 3).stripTrailingZeros.toPlainString

  /** While a file is left it is not all of them, whatever rounding says. */
  private def percent(state: StreamState, at: Position): Option[String] =
    for {
      snapshot <- state.snapshot if at.inSnapshot && at.version == snapshot.version
      size <- snapshot.counted if size > 0
      done = at.nextFile(at.version).min(size)
    } yield {
      val rounded = (BigDecimal(done) * 100 / size).setScale(1, RoundingMode.HALF_UP)
      (if (done < size) rounded.min(BigDecimal("99.9")) else rounded).toString
    }

  private[progress] def word(closing: Closing): String = closing match {
    case Closing.MaxFiles => "maxFilesPerTrigger"
    case Closing.MaxBytes => "maxBytesPerTrigger"
    case Closing.SchemaChange => "schemaChange"
    case Closing.Refusal => "problem"
    case Closing.EndOfRun => "availableNow"
    case Closing.EndOfTable => "endOfTable"
  }
}
