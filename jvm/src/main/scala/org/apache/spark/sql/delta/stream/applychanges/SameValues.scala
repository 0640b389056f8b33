// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.stream.model.ApplyChangesErrors

/**
 * Fails with `DELTASOURCE_AMBIGUOUS_SEQUENCE` if an event has other values than the row with its key and sequence.
 *
 * @param schema of key, sequence, values of the event, values of the row
 */
private[applychanges] final class SameValues(schema: StructType, path: String)
    extends (InternalRow => Unit)
    with Serializable {

  override def apply(pair: InternalRow): Unit =
    if (struct(pair, 2) != struct(pair, 3))
      throw ApplyChangesErrors.ambiguousSequence(
        text(pair, 0),
        RowText.of(pair.get(1, schema(1).dataType), schema(1).dataType),
        Some(text(pair, 3)),
        Some(text(pair, 2)),
        path)

  private def struct(pair: InternalRow, column: Int): InternalRow =
    pair.getStruct(column, typeOf(column).size)

  private def text(pair: InternalRow, column: Int): String = RowText.of(struct(pair, column), typeOf(column))

  private def typeOf(column: Int): StructType = schema(column).dataType.asInstanceOf[StructType]
}
