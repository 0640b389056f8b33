// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.connector.read.streaming.{SupportsAdmissionControl, SupportsTriggerAvailableNow}
import org.apache.spark.sql.execution.streaming.Source

/**
 * What the documentation calls the base of `DeltaSource`: Spark's interfaces and the members it names. It holds no
 * state and decides nothing.
 */
trait DeltaSourceBase extends Source with SupportsAdmissionControl with SupportsTriggerAvailableNow {

  /** The rows between two places of the table, the end included. */
  protected def createDataFrameBetweenOffsets(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      startOffset: Option[DeltaSourceOffset],
      endOffset: DeltaSourceOffset): DataFrame

  /** The rows of the files added between two places of the table. */
  protected def getFileChangesAndCreateDataFrame(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      endOffset: DeltaSourceOffset): DataFrame

  /** Closes and forgets the initial snapshot; does nothing when there is none. */
  protected def cleanUpSnapshotResources(): Unit
}
