// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.{lit, struct, transform, transform_values, when}
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructField, StructType}

/** Values of one schema as those of another: fields are found by name, and those that are missing are null. */
private[applychanges] object ByName {

  /**
   * Returns a struct of these fields.
   *
   * @param from the schema that is read
   * @param read returns a column of it
   */
  def tuple(fields: StructType, from: StructType)(read: StructField => Column): Column =
    struct(fields.map { field =>
      val found = from.find(_.name.equalsIgnoreCase(field.name))
      val value = found.fold(lit(null).cast(field.dataType)) { stored =>
        convert(read(stored), stored.dataType, field.dataType)
      }
      value.as(field.name)
    }: _*)

  /** Returns a column with another type. A cast alone would need structs with the same number of fields. */
  def convert(column: Column, from: DataType, to: DataType): Column = (from, to) match {
    case (stored: StructType, wanted: StructType) if !DataType.equalsIgnoreNullability(stored, wanted) =>
      when(column.isNotNull, tuple(wanted, stored)(field => column.getField(field.name)))
    case (ArrayType(stored: StructType, _), ArrayType(wanted, _)) =>
      transform(column, convert(_, stored, wanted))
    case (MapType(_, stored: StructType, _), MapType(_, wanted, _)) =>
      transform_values(column, (_, value) => convert(value, stored, wanted))
    case _ => column.cast(to)
  }
}
