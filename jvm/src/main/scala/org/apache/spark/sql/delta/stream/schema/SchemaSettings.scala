// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.sources.DeltaSQLConf
import org.apache.spark.sql.delta.sources.DeltaStreamUtils.SchemaReadOptions
import org.apache.spark.sql.delta.{DeltaOptions, NoMapping, SnapshotDescriptor, TypeWidening}

/**
 * Delta's session confs about changes of schema, and the options that matter beside them, as values.
 *
 * @param unsafeColumnMapping read on over renamed and dropped columns, whatever comes of it
 * @param unsafePartitions    read on over changed partitioning
 * @param unsafeStart         do not compare schemas where a run starts
 * @param unsafeNullability   read on over columns that became nullable
 * @param widening            a widened type is a change to restart from, not the end
 * @param trackWidening       a widened type needs schema tracking
 * @param startOption         the user chose a start, which the message of a change then mentions
 */
final case class SchemaSettings(
    unsafeColumnMapping: Boolean,
    unsafePartitions: Boolean,
    unsafeStart: Boolean,
    unsafeNullability: Boolean,
    widening: Boolean,
    trackWidening: Boolean,
    startOption: Boolean
) {

  /** In Delta's words, for one table. */
  def of(table: SnapshotDescriptor): SchemaReadOptions = SchemaReadOptions(
    allowUnsafeStreamingReadOnColumnMappingSchemaChanges = unsafeColumnMapping,
    allowUnsafeStreamingReadOnPartitionColumnChanges = unsafePartitions,
    forceEnableStreamingReadOnReadIncompatibleSchemaChangesDuringStreamStart = unsafeStart,
    forceEnableUnsafeReadOnNullabilityChange = unsafeNullability,
    isStreamingFromColumnMappingTable = table.metadata.columnMappingMode != NoMapping,
    typeWideningEnabled = widening && TypeWidening.isSupported(table.protocol),
    enableSchemaTrackingForTypeWidening = trackWidening
  )
}

object SchemaSettings {
  import DeltaSQLConf._

  def apply(options: DeltaOptions, conf: SQLConf): SchemaSettings =
    of(conf).copy(startOption = options.containsStartingVersionOrTimestamp)

  /** While a query is analysed its options are not read: what is wrong with them is said when it starts. */
  def of(conf: SQLConf): SchemaSettings = SchemaSettings(
    unsafeColumnMapping =
      conf.getConf(DELTA_STREAMING_UNSAFE_READ_ON_INCOMPATIBLE_COLUMN_MAPPING_SCHEMA_CHANGES),
    unsafePartitions = conf.getConf(DELTA_STREAMING_UNSAFE_READ_ON_PARTITION_COLUMN_CHANGE),
    unsafeStart =
      conf.getConf(DELTA_STREAMING_UNSAFE_READ_ON_INCOMPATIBLE_SCHEMA_CHANGES_DURING_STREAM_START),
    unsafeNullability = conf.getConf(DELTA_STREAM_UNSAFE_READ_ON_NULLABILITY_CHANGE),
    widening = conf.getConf(DELTA_ALLOW_TYPE_WIDENING_STREAMING_SOURCE),
    trackWidening = conf.getConf(DELTA_TYPE_WIDENING_ENABLE_STREAMING_SCHEMA_TRACKING),
    startOption = false
  )
}
