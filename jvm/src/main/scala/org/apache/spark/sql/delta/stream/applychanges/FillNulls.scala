// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, StructType}

/**
 * Replaces the nulls of a row by the values of an older one. Structs are filled field by field if both are there.
 *
 * @param columns the positions of the columns that are filled
 */
private[applychanges] final class FillNulls(schema: StructType, columns: Set[Int])
    extends ((UnsafeRow, UnsafeRow) => UnsafeRow) {

  private val projection = UnsafeProjection.create(schema)

  override def apply(row: UnsafeRow, older: UnsafeRow): UnsafeRow =
    projection(fill(row, older, schema, columns)).copy()

  private def fill(row: InternalRow, older: InternalRow, schema: StructType, columns: Set[Int]): InternalRow =
    new GenericInternalRow(Array.tabulate[Any](schema.size) { i =>
      val dataType = schema(i).dataType
      val value = get(row, i, dataType)
      if (!columns(i)) value
      else
        (value, get(older, i, dataType), dataType) match {
          case (null, earlier, _) => earlier
          case (struct: InternalRow, earlier: InternalRow, fields: StructType) =>
            fill(struct, earlier, fields, fields.indices.toSet)
          case _ => value
        }
    })

  private def get(row: InternalRow, i: Int, dataType: DataType): Any =
    if (row.isNullAt(i)) null else row.get(i, dataType)
}
