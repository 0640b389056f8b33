// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.types.{DataType, StructType}

/** Rows as users read them in errors. */
private[applychanges] object RowText {

  /** Returns `id=7, name=Alice`. */
  def of(row: InternalRow, schema: StructType): String =
    schema.zipWithIndex.map { case (field, i) =>
      s"${field.name}=${of(row.get(i, field.dataType), field.dataType)}"
    }
      .mkString(", ")

  def of(value: Any, dataType: DataType): String = dataType match {
    case struct: StructType if value != null => s"(${of(value.asInstanceOf[InternalRow], struct)})"
    case _ => Literal(value, dataType).toString.take(maxLength)
  }

  private val maxLength = 100
}
