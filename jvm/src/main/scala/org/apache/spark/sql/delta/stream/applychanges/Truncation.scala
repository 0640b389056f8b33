// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Cast, GenericInternalRow, Literal}
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.types.{DataType, StringType, StructType}

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.delta.actions.Metadata

/**
 * The greatest sequence that truncated a target, which is a property of it: events up to it stay gone, late ones too.
 *
 * @param sequenceType the type of the target's sequences
 */
private[applychanges] final class Truncation(sequenceType: DataType) {
  import Truncation._

  private val order: Ordering[Any] = TypeUtils.getInterpretedOrdering(sequenceType)

  def stored(metadata: Metadata): Option[Any] = metadata.configuration.get(property).map(parse)

  /** Returns the property of this sequence, if it is greater than the stored one. */
  def properties(metadata: Metadata, sequence: Option[Any]): Map[String, String] =
    sequence.filter(found => stored(metadata).forall(order.lt(_, found))).map(property -> write(_)).toMap

  def max(one: Option[Any], other: Option[Any]): Option[Any] = (one ++ other).maxOption(order)

  private def write(sequence: Any): String = json.writeValueAsString(types.zipWithIndex.map { case (dataType, i) =>
    val value = sequenceType match {
      case _: StructType => sequence.asInstanceOf[InternalRow].get(i, dataType)
      case _ => sequence
    }
    Cast(Literal(value, dataType), StringType, Some("UTC")).eval().toString
  }.toArray)

  private def parse(text: String): Any = {
    val values = json.readValue(text, classOf[Array[String]]).toSeq.zip(types).map { case (value, dataType) =>
      Cast(Literal(value), dataType, Some("UTC")).eval()
    }
    sequenceType match {
      case _: StructType => new GenericInternalRow(values.toArray[Any])
      case _ => values.head
    }
  }

  private def types: Seq[DataType] = sequenceType match {
    case struct: StructType => struct.map(_.dataType)
    case one => Seq(one)
  }
}

private[applychanges] object Truncation {
  private val property = "deltasource.applyChanges.truncatedAt"
  private val json = new ObjectMapper
}
