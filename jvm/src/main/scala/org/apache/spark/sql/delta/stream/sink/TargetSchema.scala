// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.Locale

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.types.{StructField, StructType}

import org.apache.spark.sql.delta.schema.{ImplicitMetadataOperation, SchemaMergingUtils, SchemaUtils}
import org.apache.spark.sql.delta.sources.DeltaSQLConf.AllowAutomaticWideningMode
import org.apache.spark.sql.delta.{
  DeltaErrors,
  GeneratedColumn,
  IdentityColumn,
  OptimisticTransaction,
  TypeWidening,
  TypeWideningMode,
  UniversalFormat
}

/**
 * Changes the schema of a target so that a batch can be written, or fails if it must not change.
 *
 * @param addsColumns whether columns that the target does not have are added
 */
private[stream] final class TargetSchema(spark: SparkSession, target: Target, addsColumns: Boolean)
    extends ImplicitMetadataOperation {

  override protected val canMergeSchema: Boolean = addsColumns

  override protected val canOverwriteSchema: Boolean = target.overwritesSchema

  /**
   * Updates the table's metadata in the transaction. Fails with Delta's error if the batch has a column of
   * type NullType, if a generated column would have it, if the batch gives values for an identity column,
   * or if its schema does not fit the table's and the table's may not be changed.
   */
  def prepare(txn: OptimisticTransaction, batch: Batch): Unit = prepare(txn, batch, batch.data.schema)

  /** @param data the columns that are written, if they are not those of the batch */
  def prepare(txn: OptimisticTransaction, batch: Batch, data: StructType): Unit = {
    if (SchemaUtils.nullTypeExistsRecursively(data) ||
      GeneratedColumn.hasGeneratedNullTypeColumn(txn.protocol, txn.metadata.schema))
      throw DeltaErrors.streamWriteNullTypeException
    IdentityColumn.blockExplicitIdentityColumnInsert(txn.metadata.schema, batch.execution.analyzed)
    updateMetadata(
      spark,
      txn,
      if (canOverwriteSchema) data else merged(txn, data),
      target.partitionColumns,
      configuration = Map.empty,
      isOverwriteMode = target.replacesTable,
      rearrangeOnly = false
    )
  }

  /** Keeps the table's type for a column that both have, unless type widening is on: rows are cast to it. */
  private def merged(txn: OptimisticTransaction, data: StructType): StructType =
    SchemaMergingUtils.mergeSchemas(
      txn.metadata.schema,
      data,
      allowImplicitConversions = true,
      typeWideningMode = wideningMode(txn))

  private def wideningMode(txn: OptimisticTransaction): TypeWideningMode =
    if (target.mergesSchema && TypeWidening.isEnabled(txn.protocol, txn.metadata))
      TypeWideningMode.TypeEvolution(
        uniformIcebergCompatibleOnly = UniversalFormat.icebergEnabled(txn.metadata),
        allowAutomaticWidening = AllowAutomaticWideningMode.fromConf(spark.sessionState.conf)
      )
    else TypeWideningMode.NoTypeWidening
}

private[stream] object TargetSchema {

  /** Returns the columns of a schema that another one does not have. */
  def missing(schema: StructType, from: StructType): Seq[StructField] = {
    val existing = from.fieldNames.map(_.toLowerCase(Locale.ROOT)).toSet
    schema.filterNot(field => existing(field.name.toLowerCase(Locale.ROOT)))
  }
}
