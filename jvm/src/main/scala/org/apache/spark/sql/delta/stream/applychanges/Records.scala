// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.types._
import org.apache.spark.sql.{Column, DataFrame}

/**
 * The rows that are folded: what is known of the keys of a batch, and its events. One schema serves both what goes in,
 * with an origin as `kind`, and what comes out, with an action.
 *
 * @param columns what the columns of the batch mean
 */
private[applychanges] final class Records(columns: EventColumns) {
  import Records._

  val schema: StructType = new StructType()
    .add("kind", IntegerType)
    .add("key", columns.keys)
    .add("sequence", columns.sequence)
    .add("end", columns.sequence)
    .add("change", IntegerType)
    .add("values", columns.values)
    .add("file", StringType)
    .add("index", LongType)

  def ofBatch(events: DataFrame): DataFrame =
    events.select(record(Event, col("key"), col("sequence"), col("change"), values = col("values")): _*)

  /**
   * Reads rows of the target.
   *
   * @param schema       its columns
   * @param withValues   whether their values are needed: to compare them, or to report what was there
   * @param withPosition whether their position in the file is needed; only tables with deletion vectors have it
   */
  def ofTarget(schema: StructType, withValues: Boolean, withPosition: Boolean): Seq[Column] =
    record(
      TargetRow,
      columns.tuple(columns.keys),
      columns.targetSequence,
      lit(EventColumns.upsert),
      end = if (columns.isTypeTwo) EventColumns.column(EventColumns.endAt) else missing,
      values = if (withValues) columns.row(schema) else missing,
      file = col("_metadata.file_path"),
      index = if (withPosition) col("_metadata.row_index") else lit(-1)
    )

  /**
   * Reads events of the state.
   *
   * @param stored the columns whose values it has
   */
  def ofState(stored: StructType): Seq[Column] =
    record(
      StateEvent,
      columns.tuple(columns.keys),
      EventColumns.column(EventColumns.sequenceName),
      col(State.change),
      values =
        if (columns.needsValues) ByName.convert(col(State.values), stored, columns.values) else missing
    )

  /** A record as columns, in the order of the schema. */
  private def record(
      kind: Int,
      key: Column,
      sequence: Column,
      change: Column,
      end: Column = missing,
      values: Column,
      file: Column = missing,
      index: Column = missing): Seq[Column] =
    Seq(lit(kind), key, sequence, end, change, values, file, index).zip(schema).map { case (column, field) =>
      column.cast(field.dataType).as(field.name)
    }

  private def missing: Column = lit(null)
}

private[applychanges] object Records {

  /** The positions of the columns. */
  val Kind = 0
  val Key = 1
  val Sequence = 2
  val End = 3
  val ChangeOf = 4
  val Values = 5
  val File = 6
  val Index = 7

  /** Where a record comes from. */
  val TargetRow = 0
  val StateEvent = 1
  val Event = 2

  /**
   * What to do: insert a row, remove one, remember an event, compare an event with a row, count ignored events (whose
   * number is the `index`).
   */
  val Insert = 0
  val Remove = 1
  val Remember = 2
  val Compare = 3
  val Ignore = 4

  /** The `change` of a row that is inserted or removed: alone, or as part of an update. */
  val Alone = 0
  val Update = 1
}
