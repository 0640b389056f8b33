// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.{FileSourceOptions, InternalRow}
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, PartitionedFile}
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.delta.DeltaParquetFileFormat

/**
 * Delta's file format. If a file cannot be read, [[DataFileErrors]] names the error, unless Spark ignores such
 * files.
 */
private[scan] final class StreamFileFormat(base: DeltaParquetFileFormat, fileErrors: DataFileErrors)
    extends DeltaParquetFileFormat(
      base.protocol,
      base.metadata,
      base.nullableRowTrackingConstantFields,
      base.nullableRowTrackingGeneratedFields,
      base.optimizationsEnabled,
      base.tablePath,
      base.isCDCRead
    ) {

  /** Called by the rule that plans deletion vectors. */
  override def copyWithDVInfo(tablePath: String, optimizationsEnabled: Boolean): DeltaParquetFileFormat =
    new StreamFileFormat(super.copyWithDVInfo(tablePath, optimizationsEnabled), fileErrors)

  override def buildReaderWithPartitionValues(
      spark: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      hadoopConf: Configuration): PartitionedFile => Iterator[InternalRow] = {
    val read = super.buildReaderWithPartitionValues(
      spark,
      dataSchema,
      partitionSchema,
      requiredSchema,
      filters,
      options,
      hadoopConf)
    fileErrors.naming(new FileSourceOptions(options))(read)
  }
}

private[scan] object StreamFileFormat {

  /** Returns the relation with this format, and with its files from this index. */
  def relation(base: HadoopFsRelation, files: FileIndex, fileErrors: DataFileErrors): HadoopFsRelation =
    base.fileFormat match {
      case format: DeltaParquetFileFormat =>
        base.copy(
          location = files,
          fileFormat = new StreamFileFormat(format, fileErrors))(base.sparkSession)
      case other => throw new IllegalStateException(s"expected Delta's file format in the scan, got $other")
    }
}
