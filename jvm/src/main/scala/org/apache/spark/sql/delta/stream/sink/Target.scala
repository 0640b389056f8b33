// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.streaming.OutputMode

import org.apache.spark.sql.delta.DeltaOptions

/** Where the user wants the rows of a query, and how. */
final case class Target(
    catalogTable: Option[CatalogTable],
    partitionColumns: Seq[String],
    outputMode: OutputMode,
    options: DeltaOptions
) {

  /** Whether a batch takes the place of all rows. */
  def replaces: Boolean = outputMode == OutputMode.Complete
}
