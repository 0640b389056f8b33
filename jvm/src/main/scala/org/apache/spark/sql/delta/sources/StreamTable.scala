// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.types.{DataType, StructType}

import org.apache.spark.sql.delta.{DeltaAnalysisException, DeltaErrors, DeltaTableUtils, DeltaThrowableHelper}

/** What a user may not ask of a table that is streamed. The documented sentence stands beside Delta's own. */
private[sources] object StreamTable {

  /** A stream goes on to the newest version, so it cannot be of an older one. */
  def refuseTimeTravel(spark: SparkSession, path: String, parameters: Map[String, String]): Unit = {
    val inPath = DeltaTableUtils.extractIfPathContainsTimeTravel(spark, path, Map.empty)._2
    if (inPath.orElse(DeltaDataSource.getTimeTravelVersion(parameters)).isDefined)
      throw both("DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS", "Cannot time travel views, subqueries or streams.")
  }

  /**
   * A given schema must be the table's, up to nullability; and the table must have one. A catalog that knows only
   * where the table is gives a schema without columns.
   */
  def verifySchema(asked: Option[StructType], table: StructType): Unit = {
    if (asked.exists(other => other.nonEmpty && !DataType.equalsIgnoreCompatibleNullability(table, other)))
      throw both(
        "DELTA_READ_SOURCE_SCHEMA_CONFLICT",
        "Delta does not support specifying the schema at read time."
      )
    if (table.isEmpty) throw DeltaErrors.schemaNotSetException
  }

  private def both(condition: String, documented: String): Throwable = {
    val message = DeltaThrowableHelper.getMessage(condition, Array.empty)
    new DeltaAnalysisException(condition, Array.empty, None, None, Some(s"$message $documented"), None)
  }
}
