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
 * Delta's file format, which reports files that no longer exist as [[MissingFiles]] does, unless Spark
 * ignores them.
 */
private[scan] final class StreamFileFormat(base: DeltaParquetFileFormat, missingFiles: MissingFiles)
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
    new StreamFileFormat(super.copyWithDVInfo(tablePath, optimizationsEnabled), missingFiles)

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
    if (new FileSourceOptions(options).ignoreMissingFiles) read else missingFiles.naming(read)
  }
}

private[scan] object StreamFileFormat {

  /** Returns the relation with this format, and with its files from this index. */
  def relation(base: HadoopFsRelation, files: FileIndex, missingFiles: MissingFiles): HadoopFsRelation =
    base.fileFormat match {
      case format: DeltaParquetFileFormat =>
        base.copy(
          location = files,
          fileFormat = new StreamFileFormat(format, missingFiles))(base.sparkSession)
      case other => throw new IllegalStateException(s"expected Delta's file format in the scan, got $other")
    }
}
