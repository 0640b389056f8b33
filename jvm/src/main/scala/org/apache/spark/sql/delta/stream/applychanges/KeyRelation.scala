// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import java.util

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.connector.catalog.{SupportsRead, TableCapability}
import org.apache.spark.sql.connector.read.{LocalScan, ScanBuilder}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import org.apache.spark.sql.delta.DataFrameUtils

/**
 * The keys of a batch as a table in memory. Spark plans it as it plans a `LocalRelation`, but does not copy its rows
 * while it analyzes and optimizes a plan: each rule that looks for expressions in a `LocalRelation` walks through all
 * rows.
 */
private[applychanges] final class KeyRelation private (keys: KeySet.Exact) extends SupportsRead
    with LocalScan {

  override def name: String = "the keys of a batch"

  override def capabilities: util.Set[TableCapability] = util.Set.of(TableCapability.BATCH_READ)

  override def schema: StructType = keys.schema

  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = () => this

  override def readSchema: StructType = keys.schema

  override def rows: Array[InternalRow] = keys.keys.toArray
}

private[applychanges] object KeyRelation {

  def of(spark: SparkSession, keys: KeySet.Exact): DataFrame =
    DataFrameUtils.ofRows(spark, DataSourceV2Relation.create(new KeyRelation(keys), None, None))
}
