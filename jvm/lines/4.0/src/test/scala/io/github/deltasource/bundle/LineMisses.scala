// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/** What may stay unlinked on this line of Spark alone. */
object LineMisses {
  private val parquet = "org/apache/parquet"
  private val kernel = "io/delta/kernel/defaults/internal/parquet"
  private val geometry =
    "Delta's kernel is compiled against a later Parquet; it needs these for columns of geometry, which Spark 4.0 lacks"

  val all: Seq[AllowedMiss] = Seq(
    AllowedMiss(
      s"$kernel/ParquetSchemaUtils",
      s"$parquet/column/schema/EdgeInterpolationAlgorithm",
      geometry),
    AllowedMiss(s"$kernel/ParquetSchemaUtils", s"$parquet/schema/LogicalTypeAnnotation", geometry),
    AllowedMiss(s"$kernel/ParquetStatsReader", s"$parquet/column/statistics/geospatial/", geometry),
    AllowedMiss(s"$kernel/ParquetStatsReader", s"$parquet/hadoop/metadata/ColumnChunkMetaData", geometry)
  )
}
