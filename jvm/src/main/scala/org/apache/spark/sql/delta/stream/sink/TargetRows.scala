// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.Project
import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.types.{DataType, StructField, StructType}

import org.apache.spark.sql.delta.schema.SchemaMergingUtils
import org.apache.spark.sql.delta.{DataFrameUtils, UpdateExpressionsSupport}

/**
 * Rows of a batch in the types of the table, by Spark's rules for storing a value: what does not fit is refused, or
 * cut, as `spark.sql.storeAssignmentPolicy` has it.
 */
private[sink] object TargetRows extends UpdateExpressionsSupport {

  def of(rows: DataFrame, table: StructType): DataFrame = {
    val execution = castToImpl(rows).queryExecution
    val plan = execution.analyzed
    val fields = SchemaMergingUtils.toFieldMap(table.fields.toSeq, caseSensitive = false)
    val columns =
      plan.output.map(column => fields.get(column.name).fold[NamedExpression](column)(cast(column, _)))
    if (columns == plan.output) rows
    else DataFrameUtils.ofRows(execution.sparkSession, Project(columns, plan))
  }

  private def cast(column: Attribute, field: StructField): NamedExpression =
    if (DataType.equalsIgnoreCaseAndNullability(column.dataType, field.dataType)) column
    else {
      val behavior = CastByName(allowMissingStructField = true)
      Alias(castIfNeeded(column, field.dataType, behavior, column.name), column.name)()
    }
}
