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
 * Casts the rows of a batch to the column types of the table, by Spark's rules for storing a value:
 * `spark.sql.storeAssignmentPolicy` decides whether a value that does not fit is refused or truncated.
 */
private[sink] object ImplicitCast extends UpdateExpressionsSupport {

  /**
   * Casts every column that the table has if any of them has another type than the table's, as delta-spark
   * does. Otherwise returns `rows` unchanged. Columns that the table does not have are never cast.
   *
   * @param tableSchema the schema to cast to; columns are matched by name, ignoring case
   */
  def of(rows: DataFrame, tableSchema: StructType): DataFrame = {
    val execution = castToImpl(rows).queryExecution
    val plan = execution.analyzed
    val fields = SchemaMergingUtils.toFieldMap(tableSchema.fields.toSeq, caseSensitive = false)
    val columnFields = plan.output.map(column => column -> fields.get(column.name))
    val needsCast = columnFields.exists { case (column, field) =>
      field.exists(target => differ(column.dataType, target.dataType))
    }
    if (!needsCast) rows
    else {
      val columns =
        columnFields.map { case (column, field) => field.fold[NamedExpression](column)(cast(column, _)) }
      DataFrameUtils.ofRows(execution.sparkSession, Project(columns, plan))
    }
  }

  private def cast(column: Attribute, field: StructField): NamedExpression = {
    val behavior = CastByName(allowMissingStructField = true)
    Alias(castIfNeeded(column, field.dataType, behavior, column.name), column.name)()
  }

  /**
   * Returns whether a value that both types have differs in type. Struct fields that only one type has, or
   * that are in another order, do not count: the writer fills and orders them by name.
   */
  private def differ(data: DataType, table: DataType): Boolean = (data, table) match {
    case (dataStruct: StructType, tableStruct: StructType) =>
      val fields = SchemaMergingUtils.toFieldMap(tableStruct.fields.toSeq, caseSensitive = false)
      dataStruct.exists { field =>
        fields.get(field.name).exists(target => differ(field.dataType, target.dataType))
      }
    case (dataArray: ArrayType, tableArray: ArrayType) =>
      differ(dataArray.elementType, tableArray.elementType)
    case (dataMap: MapType, tableMap: MapType) =>
      differ(dataMap.keyType, tableMap.keyType) || differ(dataMap.valueType, tableMap.valueType)
    case (dataType, tableType) => dataType != tableType
  }
}
