// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.DataFrame

/** The documented change feed members of `DeltaSource`. */
trait DeltaSourceCDCSupport {

  /** Returns the changes between two positions of the table. */
  protected def getCDCFileChangesAndCreateDataFrame(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      endOffset: DeltaSourceOffset
  ): DataFrame
}
