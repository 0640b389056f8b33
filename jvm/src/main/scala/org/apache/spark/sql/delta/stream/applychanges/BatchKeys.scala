// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import scala.collection.mutable

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType, StructType}

import org.apache.spark.sql.delta.stream.applychanges.KeySet.Range
import org.apache.spark.sql.delta.stream.model.ApplyChangesErrors

/** Collects the keys of a batch, and checks that each event has a key and a sequence. */
private[applychanges] object BatchKeys {

  /** With more keys in a batch, only their ranges are collected. */
  private val limit = 200000

  /** @param events as [[EventColumns.events]] returns them */
  def of(events: DataFrame, columns: EventColumns, path: String): KeySet = {
    val (keyType, sequenceType) = (columns.keys, columns.sequence)
    val parts = castToImpl(events).queryExecution.toRdd.mapPartitions { rows =>
      val part = new Part(keyType)
      rows.foreach { row =>
        val key = row.getStruct(0, keyType.size)
        if (keyType.indices.exists(key.isNullAt)) throw ApplyChangesErrors.nullKey(RowText.of(key, keyType), path)
        if (!hasPlace(row, 1, sequenceType))
          throw ApplyChangesErrors.nullSequence(RowText.of(key, keyType), path)
        part.add(key)
      }
      Iterator(part.result)
    }
    val found = parts.collect().toSeq
    val keys = found.flatMap(_._1.toSeq.flatten)
    if (found.forall(_._1.nonEmpty) && keys.size <= 2 * limit) KeySet.exact(keyType, keys.distinct)
    else KeySet.bounds(keyType, merged(keyType, found.map(_._2).filter(_.nonEmpty)))
  }

  /** Whether a sequence has a place in an order: no part of it is null or NaN. */
  private def hasPlace(row: InternalRow, column: Int, dataType: DataType): Boolean =
    !row.isNullAt(column) && (dataType match {
      case struct: StructType =>
        val parts = row.getStruct(column, struct.size)
        struct.indices.forall(i => hasPlace(parts, i, struct(i).dataType))
      case DoubleType => !row.getDouble(column).isNaN
      case FloatType => !row.getFloat(column).isNaN
      case _ => true
    })

  private def merged(schema: StructType, parts: Seq[IndexedSeq[Range]]): IndexedSeq[Range] =
    schema.indices.map { column =>
      val order = TypeUtils.getInterpretedOrdering(schema(column).dataType)
      Range(parts.map(_(column).min).min(order), parts.map(_(column).max).max(order))
    }

  /** The keys of a partition, unless there are too many, and the range of each of their columns. */
  private final class Part(schema: StructType) {
    private val types = schema.map(_.dataType).toArray
    private val orders = types.map(TypeUtils.getInterpretedOrdering)
    private val keys = mutable.HashSet.empty[InternalRow]
    private val ranges = Array.fill(types.length)(Option.empty[Range])

    def add(key: InternalRow): Unit =
      if (keys.size <= limit && keys.contains(key)) ()
      else {
        val own = key.copy()
        if (keys.size <= limit) keys += own
        types.indices.foreach(column => widen(column, own.get(column, types(column))))
      }

    def result: (Option[Array[InternalRow]], IndexedSeq[Range]) =
      (Option.when(keys.size <= limit)(keys.toArray), ranges.toIndexedSeq.flatten)

    private def widen(column: Int, value: Any): Unit = ranges(column) match {
      case None => ranges(column) = Some(Range(value, value))
      case Some(range) if orders(column).lt(value, range.min) => ranges(column) = Some(range.copy(min = value))
      case Some(range) if orders(column).gt(value, range.max) => ranges(column) = Some(range.copy(max = value))
      case _ => ()
    }
  }
}
