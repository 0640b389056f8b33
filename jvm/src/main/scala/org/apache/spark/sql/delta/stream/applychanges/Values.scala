// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.expressions.{BoundReference, JoinedRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.StructType

/**
 * The values of a row or an event. They are equal if the columns are equal that the events of the batch have: an event
 * says nothing about the other columns of the target.
 *
 * @param row      all columns of the target
 * @param compared the columns that the events have
 * @param isNew    whether these are the values of an event of the batch
 */
private[applychanges] final class Values(val row: UnsafeRow, val compared: UnsafeRow, val isNew: Boolean) {

  override def equals(other: Any): Boolean = other match {
    case that: Values => compared == that.compared
    case _ => false
  }

  override def hashCode: Int = compared.hashCode
}

/**
 * Makes values.
 *
 * @param schema     all columns of the target, those of the events first
 * @param eventWidth how many of them the events have
 */
private[applychanges] final class ValuesOf(schema: StructType, eventWidth: Int) {

  private val isComplete = eventWidth == schema.size
  private lazy val ofEvents = UnsafeProjection.create(references(0 until eventWidth))
  private lazy val joined =
    UnsafeProjection.create(
      references((0 until eventWidth) ++ (eventWidth until schema.size).map(_ + schema.size)))

  def apply(row: UnsafeRow, isNew: Boolean): Values =
    new Values(row, if (isComplete) row else ofEvents(row).copy(), isNew)

  /** Returns the values of an event that continues a row: that row keeps what the event does not have. */
  def continued(older: Values, newer: Values): Values =
    if (isComplete || !newer.isNew) newer
    else new Values(joined(new JoinedRow(newer.row, older.row)).copy(), newer.compared, isNew = false)

  private def references(positions: Seq[Int]): Seq[BoundReference] =
    positions.map(i => BoundReference(i, schema(i % schema.size).dataType, nullable = true))
}
