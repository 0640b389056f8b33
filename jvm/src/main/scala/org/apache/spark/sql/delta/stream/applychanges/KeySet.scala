// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.RowOrdering
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.types.StructType

/** The distinct keys of a batch, or what is known of them if there are too many. */
private[applychanges] sealed abstract class KeySet(val schema: StructType) {

  protected final val orders: IndexedSeq[Ordering[Any]] =
    schema.map(field => TypeUtils.getInterpretedOrdering(field.dataType)).toIndexedSeq

  def isEmpty: Boolean

  /** Returns whether a file may have a row with one of the keys. */
  def meets(file: KeySet.Ranges): Boolean
}

private[applychanges] object KeySet {

  /** The least and the greatest value of a column. */
  final case class Range(min: Any, max: Any)

  /** For each key column, its range in a file; None if the file does not say. */
  type Ranges = IndexedSeq[Option[Range]]

  /**
   * All keys.
   *
   * @param keys sorted by their columns, the first one first
   */
  final class Exact private[KeySet] (schema: StructType, val keys: IndexedSeq[InternalRow])
      extends KeySet(schema) {

    override def isEmpty: Boolean = keys.isEmpty

    override def meets(file: Ranges): Boolean = {
      val (from, until) = file.head.fold((0, keys.size)) { range =>
        (count(orders.head.lt(_, range.min)), count(orders.head.lteq(_, range.max)))
      }
      if (file.tail.forall(_.isEmpty)) from < until
      else (from until until).exists(i => isIn(keys(i), file))
    }

    private def isIn(key: InternalRow, file: Ranges): Boolean = schema.indices.forall { column =>
      file(column).forall { range =>
        val value = key.get(column, schema(column).dataType)
        orders(column).lteq(range.min, value) && orders(column).lteq(value, range.max)
      }
    }

    /** How many keys there are before the first one whose first column does not satisfy a condition. */
    private def count(condition: Any => Boolean): Int = {
      var (low, high) = (0, keys.size)
      while (low < high) {
        val middle = (low + high) >>> 1
        if (condition(keys(middle).get(0, schema.head.dataType))) low = middle + 1 else high = middle
      }
      low
    }
  }

  /** Only the ranges of the key columns: there are too many keys for the driver. */
  final class Bounds private[KeySet] (schema: StructType, ranges: IndexedSeq[Range]) extends KeySet(schema) {

    override def isEmpty: Boolean = false

    override def meets(file: Ranges): Boolean = schema.indices.forall { column =>
      file(column).forall { range =>
        orders(column).lteq(range.min, ranges(column).max) && orders(column).lteq(
          ranges(column).min,
          range.max)
      }
    }
  }

  /** All keys that there are, since the batch has an event for all. */
  final class All private[KeySet] (schema: StructType) extends KeySet(schema) {
    override def isEmpty: Boolean = false
    override def meets(file: Ranges): Boolean = true
  }

  def all(schema: StructType): KeySet = new All(schema)

  /** @param keys distinct, and not changed later */
  def exact(schema: StructType, keys: Iterable[InternalRow]): Exact = {
    val order = RowOrdering.createNaturalAscendingOrdering(schema.map(_.dataType))
    new Exact(schema, keys.toVector.sorted(order))
  }

  def bounds(schema: StructType, ranges: IndexedSeq[Range]): KeySet = new Bounds(schema, ranges)
}
