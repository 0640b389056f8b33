// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.sources.DeltaSQLConf
import org.apache.spark.sql.delta.sources.DeltaStreamUtils.SchemaReadOptions
import org.apache.spark.sql.delta.{DeltaOptions, NoMapping, SnapshotDescriptor, TypeWidening}

/**
 * Delta's session confs about schema changes, and the reader options that affect them.
 *
 * @param unsafeColumnMapping continue after renamed and dropped columns, even though the rows may be wrong
 * @param unsafePartitions    continue after changes of the partition columns
 * @param unsafeStart         do not compare schemas at the version where a run starts
 * @param unsafeNullability   continue after columns became nullable
 * @param allowTypeWidening   after a widened type the query can be restarted; otherwise the stream fails for
 *                            good
 * @param trackTypeWidening   a widened type requires schema tracking
 * @param hasStartOption      the user set a start option, which the message of a schema change then mentions
 */
private[stream] final case class SchemaSettings(
    unsafeColumnMapping: Boolean,
    unsafePartitions: Boolean,
    unsafeStart: Boolean,
    unsafeNullability: Boolean,
    allowTypeWidening: Boolean,
    trackTypeWidening: Boolean,
    hasStartOption: Boolean
) {

  /** Converts to the class that Delta's own checks take, for one table. */
  def toReadOptions(table: SnapshotDescriptor): SchemaReadOptions = SchemaReadOptions(
    allowUnsafeStreamingReadOnColumnMappingSchemaChanges = unsafeColumnMapping,
    allowUnsafeStreamingReadOnPartitionColumnChanges = unsafePartitions,
    forceEnableStreamingReadOnReadIncompatibleSchemaChangesDuringStreamStart = unsafeStart,
    forceEnableUnsafeReadOnNullabilityChange = unsafeNullability,
    isStreamingFromColumnMappingTable = table.metadata.columnMappingMode != NoMapping,
    typeWideningEnabled = allowTypeWidening && TypeWidening.isSupported(table.protocol),
    enableSchemaTrackingForTypeWidening = trackTypeWidening
  )
}

private[stream] object SchemaSettings {
  import DeltaSQLConf._

  /** Reads the settings of a stream that is starting. */
  def forStart(options: DeltaOptions, conf: SQLConf): SchemaSettings =
    forAnalysis(conf).copy(hasStartOption = options.containsStartingVersionOrTimestamp)

  /**
   * Reads the settings while a query is being analyzed. Its options are not read then: mistakes in them are
   * reported when the query starts.
   */
  def forAnalysis(conf: SQLConf): SchemaSettings = SchemaSettings(
    unsafeColumnMapping =
      conf.getConf(DELTA_STREAMING_UNSAFE_READ_ON_INCOMPATIBLE_COLUMN_MAPPING_SCHEMA_CHANGES),
    unsafePartitions = conf.getConf(DELTA_STREAMING_UNSAFE_READ_ON_PARTITION_COLUMN_CHANGE),
    unsafeStart =
      conf.getConf(DELTA_STREAMING_UNSAFE_READ_ON_INCOMPATIBLE_SCHEMA_CHANGES_DURING_STREAM_START),
    unsafeNullability = conf.getConf(DELTA_STREAM_UNSAFE_READ_ON_NULLABILITY_CHANGE),
    allowTypeWidening = conf.getConf(DELTA_ALLOW_TYPE_WIDENING_STREAMING_SOURCE),
    trackTypeWidening = conf.getConf(DELTA_TYPE_WIDENING_ENABLE_STREAMING_SCHEMA_TRACKING),
    hasStartOption = false
  )
}
