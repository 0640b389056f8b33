// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.sources.DeltaStreamUtils.SchemaReadOptions
import org.apache.spark.sql.delta.stream.schema.UntrackedSchemaPolicy

/** Schemas of streams without schema tracking. */
object Schemas {

  /** With every conf at its default. */
  val strict: SchemaReadOptions = SchemaReadOptions(
    allowUnsafeStreamingReadOnColumnMappingSchemaChanges = false,
    allowUnsafeStreamingReadOnPartitionColumnChanges = false,
    forceEnableStreamingReadOnReadIncompatibleSchemaChangesDuringStreamStart = false,
    forceEnableUnsafeReadOnNullabilityChange = false,
    isStreamingFromColumnMappingTable = false,
    typeWideningEnabled = false,
    enableSchemaTrackingForTypeWidening = false
  )

  def untracked(
      metadata: Metadata,
      version: Long = 0,
      allows: SchemaReadOptions = strict
  ): UntrackedSchemaPolicy =
    UntrackedSchemaPolicy(
      metadata,
      version,
      metadata.schema,
      readsEntry = false,
      allows,
      changeFeed = false,
      hasStartOption = false)
}
