// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.util.ResolveDefaultColumnsUtils.CURRENT_DEFAULT_COLUMN_METADATA_KEY
import org.apache.spark.sql.functions.{col, struct}
import org.apache.spark.sql.types._
import org.apache.spark.sql.{Column, DataFrame}

import org.apache.spark.sql.delta.stream.applychanges.EventColumns._
import org.apache.spark.sql.delta.stream.sink.TargetSchema
import org.apache.spark.sql.delta.{ColumnWithDefaultExprUtils, GeneratedColumn}

/**
 * What the columns of a batch mean, checked against its schema.
 *
 * @param keys      the key columns, with their types
 * @param values    the columns that the target keeps, the keys among them; behind them, those that only the target has
 * @param eventWidth how many of `values` the events have
 * @param tracked   for type 2, the columns whose change begins a new row
 * @param filled    the columns in which a null does not replace a value
 * @param fillsMissing whether this includes the columns that only the target has
 * @param sequence  the type of the sequence; a struct if there are several columns
 * @param ties      how events with the same sequence are merged
 * @param storesSequence whether the target needs a column of ours for the sequence (type 1)
 */
private[applychanges] final case class EventColumns(
    keys: StructType,
    values: StructType,
    tracked: Option[Seq[String]],
    eventWidth: Int,
    filled: Seq[String],
    fillsMissing: Boolean,
    sequence: DataType,
    sequenceColumns: Seq[String],
    ties: EventSet,
    storesSequence: Boolean,
    private val sequenceOf: Column,
    private val changeOf: Column) {

  val isTypeTwo: Boolean = tracked.nonEmpty

  /** Whether the state has the values of events, and the values of rows are needed for the fold. */
  val needsValues: Boolean = isTypeTwo || filled.nonEmpty

  /** The columns of the target. */
  val targetSchema: StructType =
    if (isTypeTwo) values.add(startAt, sequence).add(endAt, sequence)
    else if (storesSequence) values.add(sequenceName, sequence)
    else values

  /** The sequence of a row of the target. */
  def targetSequence: Column =
    if (isTypeTwo) column(startAt)
    else if (storesSequence) column(sequenceName)
    else EventColumns.tuple(sequenceColumns)

  /** The columns that the events have. */
  def ofEvents: StructType = StructType(values.take(eventWidth))

  /**
   * Returns the same columns with the types that a target has, and with its other columns. Its types stay, and events
   * are cast to them.
   */
  def inTarget(schema: StructType): EventColumns = {
    def typed(name: String, default: DataType): DataType =
      schema.find(_.name == name).fold(default)(_.dataType)
    def typedAll(fields: StructType): StructType =
      StructType(fields.map(field => field.copy(dataType = typed(field.name, field.dataType))))
    val sequenceType =
      if (isTypeTwo) typed(startAt, sequence)
      else if (storesSequence) typed(sequenceName, sequence)
      else
        sequenceColumns match {
          case Seq(one) => typed(one, sequence)
          case several => typedAll(StructType(several.map(values(_))))
        }
    val missing =
      TargetSchema.missing(schema, from = targetSchema).filter(isStored).map(_.copy(nullable = true))
    copy(
      keys = typedAll(keys),
      values = StructType(typedAll(values) ++ missing),
      filled = filled ++ (if (fillsMissing) missing.map(_.name) else Nil),
      sequence = sequenceType)
  }

  /**
   * Returns the events: their key, sequence, change and values. Leaves out the columns that the target does not keep,
   * because one of them may have the name of a column that only the target has.
   */
  def events(rows: DataFrame): DataFrame = {
    val names = ofEvents.fieldNames.toSet
    val kept = StructType(rows.schema.filter(field => names(field.name)))
    rows.select(
      tuple(keys).as("key"),
      sequenceOf.cast(sequence).as("sequence"),
      changeOf.as("change"),
      row(kept).as("values"))
  }

  /** The values of a row of this schema, as a struct. */
  def row(schema: StructType): Column = ByName.tuple(values, schema)(field => column(field.name))

  /** A struct of these columns, cast to their types. */
  def tuple(fields: StructType): Column =
    struct(fields.map(field => column(field.name).cast(field.dataType).as(field.name)): _*)
}

private[applychanges] object EventColumns {

  val startAt = "__START_AT"
  val endAt = "__END_AT"
  val sequenceName = "__SEQUENCE"

  /** The columns that the target may have besides those of the events. */
  val reserved: Seq[String] = Seq(startAt, endAt, sequenceName)

  /** Whether a column has the value that was written, and no other when it is left out. */
  private def isStored(field: StructField): Boolean =
    !reserved.contains(field.name) && !GeneratedColumn.isGeneratedColumn(field) &&
      !ColumnWithDefaultExprUtils.isIdentityColumn(field) && !field.metadata.contains(
        CURRENT_DEFAULT_COLUMN_METADATA_KEY)

  /** The values of the column `change`. */
  val upsert = 0
  val delete = 1
  val preImage = 2
  val truncate = 3

  /** A column by its name as it is, which may contain dots. */
  def column(name: String): Column = col("`" + name.replace("`", "``") + "`")

  /** One column, or a struct of several. */
  def tuple(names: Seq[String]): Column = names match {
    case Seq(one) => column(one)
    case several => struct(several.map(column): _*)
  }
}
