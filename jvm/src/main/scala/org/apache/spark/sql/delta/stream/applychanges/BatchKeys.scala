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

/**
 * What is known of a batch before its keys are looked up.
 *
 * @param keys      its keys; all keys if it truncates the target
 * @param truncated the greatest sequence of an event that truncates the target
 */
private[applychanges] final case class BatchKeys(keys: KeySet, truncated: Option[Any])

/** Collects the keys of a batch, and checks that each event has a key and a sequence. */
private[applychanges] object BatchKeys {

  /** With more keys in a batch, only their ranges are collected. */
  private val limit = 200000

  /** @param events as [[EventColumns.events]] returns them */
  def of(events: DataFrame, columns: EventColumns, path: String): BatchKeys = {
    val (keyType, sequenceType) = (columns.keys, columns.sequence)
    val parts = castToImpl(events).queryExecution.toRdd.mapPartitions { rows =>
      val part = new Part(keyType, sequenceType)
      rows.foreach { row =>
        val key = row.getStruct(0, keyType.size)
        val isTruncate = row.getInt(2) == EventColumns.truncate
        if (!isTruncate && keyType.indices.exists(key.isNullAt))
          throw ApplyChangesErrors.nullKey(RowText.of(key, keyType), path)
        if (!hasPlace(row, 1, sequenceType))
          throw ApplyChangesErrors.nullSequence(RowText.of(key, keyType), path)
        if (isTruncate) part.truncate(row.get(1, sequenceType)) else part.add(key)
      }
      Iterator(part.result)
    }
    val found = parts.collect().toSeq
    val truncated = found.flatMap(_.truncated).maxOption(TypeUtils.getInterpretedOrdering(sequenceType))
    BatchKeys(if (truncated.nonEmpty) KeySet.all(keyType) else keySet(keyType, found), truncated)
  }

  private def keySet(keyType: StructType, found: Seq[Found]): KeySet = {
    val keys = found.flatMap(_.keys.toSeq.flatten)
    if (found.forall(_.keys.nonEmpty) && keys.size <= 2 * limit) KeySet.exact(keyType, keys.distinct)
    else KeySet.bounds(keyType, merged(keyType, found.map(_.ranges).filter(_.nonEmpty)))
  }

  /**
   * What a partition has.
   *
   * @param keys   its distinct keys, unless there are too many
   * @param ranges the range of each key column; empty if it has no key
   */
  private final case class Found(
      keys: Option[Array[InternalRow]],
      ranges: IndexedSeq[Range],
      truncated: Option[Any])

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

  /** Collects what a partition has. */
  private final class Part(schema: StructType, sequenceType: DataType) {
    private val types = schema.map(_.dataType).toArray
    private val orders = types.map(TypeUtils.getInterpretedOrdering)
    private val keys = mutable.HashSet.empty[InternalRow]
    private val sequenceOrder = TypeUtils.getInterpretedOrdering(sequenceType)
    private var truncated = Option.empty[Any]
    private val ranges = Array.fill(types.length)(Option.empty[Range])

    def add(key: InternalRow): Unit =
      if (keys.size <= limit && keys.contains(key)) ()
      else {
        val own = key.copy()
        if (keys.size <= limit) keys += own
        types.indices.foreach(column => widen(column, own.get(column, types(column))))
      }

    /** The sequence is copied: Spark reuses the row that it is part of. */
    def truncate(sequence: Any): Unit =
      truncated = (truncated.toSeq :+ InternalRow.copyValue(sequence)).maxOption(sequenceOrder)

    def result: Found =
      Found(Option.when(keys.size <= limit)(keys.toArray), ranges.toIndexedSeq.flatten, truncated)

    private def widen(column: Int, value: Any): Unit = ranges(column) match {
      case None => ranges(column) = Some(Range(value, value))
      case Some(range) if orders(column).lt(value, range.min) =>
        ranges(column) = Some(range.copy(min = value))
      case Some(range) if orders(column).gt(value, range.max) =>
        ranges(column) = Some(range.copy(max = value))
      case _ => ()
    }
  }
}
