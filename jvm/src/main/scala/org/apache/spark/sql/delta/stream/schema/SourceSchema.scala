// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.DeltaTableUtils
import org.apache.spark.sql.delta.commands.cdc.CDCReader

/** What a stream's reader sees of a table's schema. */
object SourceSchema {

  /** Without what only writers and Delta itself need in the fields' metadata; with the change feed's three columns. */
  def of(spark: SparkSession, table: StructType, changeFeed: Boolean): StructType = {
    val visible =
      DeltaTableUtils.removeInternalDeltaMetadata(
        spark,
        DeltaTableUtils.removeInternalWriterMetadata(spark, table)
      )
    if (changeFeed) CDCReader.cdcReadSchema(visible) else visible
  }
}
