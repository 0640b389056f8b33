// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap

import org.apache.spark.sql.delta.{DeltaErrors, DeltaTimeTravelSpec}

/** The version or time that options ask for. */
private[sources] object TimeTravelOptions {
  import DeltaDataSource.{TIME_TRAVEL_SOURCE_KEY, TIME_TRAVEL_TIMESTAMP_KEY, TIME_TRAVEL_VERSION_KEY}

  /** Fails when both are asked for, and when a version is no number. */
  def of(parameters: Map[String, String]): Option[DeltaTimeTravelSpec] = {
    val options = CaseInsensitiveMap(parameters)
    val source = options.get(TIME_TRAVEL_SOURCE_KEY).orElse(Some("dfReader"))
    (options.get(TIME_TRAVEL_TIMESTAMP_KEY), options.get(TIME_TRAVEL_VERSION_KEY)) match {
      case (Some(_), Some(_)) => throw DeltaErrors.provideOneOfInTimeTravel
      case (Some(timestamp), None) => Some(DeltaTimeTravelSpec(Some(Literal(timestamp)), None, source))
      case (None, Some(version)) => Some(DeltaTimeTravelSpec(None, Some(number(version)), source))
      case (None, None) => None
    }
  }

  private def number(version: String): Long =
    try version.toLong
    catch {
      case e: NumberFormatException =>
        throw DeltaErrors.timeTravelInvalidBeginValue(TIME_TRAVEL_VERSION_KEY, e)
    }
}
