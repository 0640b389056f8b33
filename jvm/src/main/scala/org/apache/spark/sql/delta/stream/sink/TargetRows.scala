// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.Project
import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructField, StructType}

import org.apache.spark.sql.delta.schema.SchemaMergingUtils
import org.apache.spark.sql.delta.{DataFrameUtils, UpdateExpressionsSupport}

/**
 * Rows of a batch in the types of the table, by Spark's rules for storing a value: what does not fit is refused, or
 * cut, as `spark.sql.storeAssignmentPolicy` has it.
 */
private[sink] object TargetRows extends UpdateExpressionsSupport {

  /** If any column has another type than the table's, all that the table has are cast, as on delta-spark. */
  def of(rows: DataFrame, table: StructType): DataFrame = {
    val execution = castToImpl(rows).queryExecution
    val plan = execution.analyzed
    val fields = SchemaMergingUtils.toFieldMap(table.fields.toSeq, caseSensitive = false)
    val wanted = plan.output.map(column => column -> fields.get(column.name))
    val isOther = wanted.exists { case (column, field) =>
      field.exists(found => differ(column.dataType, found.dataType))
    }
    if (!isOther) rows
    else {
      val columns =
        wanted.map { case (column, field) => field.fold[NamedExpression](column)(cast(column, _)) }
      DataFrameUtils.ofRows(execution.sparkSession, Project(columns, plan))
    }
  }

  private def cast(column: Attribute, field: StructField): NamedExpression = {
    val behavior = CastByName(allowMissingStructField = true)
    Alias(castIfNeeded(column, field.dataType, behavior, column.name), column.name)()
  }

  /**
   * Whether a value that both have differs in type. Fields of a struct that only one has, or that stand in another
   * order, are no reason to build the struct anew: the writer fills and orders them by name.
   */
  private def differ(data: DataType, table: DataType): Boolean = (data, table) match {
    case (one: StructType, other: StructType) =>
      val fields = SchemaMergingUtils.toFieldMap(other.fields.toSeq, caseSensitive = false)
      one.exists(field => fields.get(field.name).exists(found => differ(field.dataType, found.dataType)))
    case (one: ArrayType, other: ArrayType) => differ(one.elementType, other.elementType)
    case (one: MapType, other: MapType) =>
      differ(one.keyType, other.keyType) || differ(one.valueType, other.valueType)
    case (one, other) => one != other
  }
}
