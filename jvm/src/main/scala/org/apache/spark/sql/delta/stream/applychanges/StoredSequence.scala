// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Cast, GenericInternalRow, Literal}
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.types.{DataType, StringType, StructType}

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.model.ApplyChangesProperties

/**
 * A sequence that is a property of a table, and only grows.
 *
 * @param name         the name of the property
 * @param sequenceType the type of the target's sequences
 */
private[applychanges] final class StoredSequence(name: String, sequenceType: DataType) extends Serializable {
  import StoredSequence._

  private val property = ApplyChangesProperties.prefix + name

  private lazy val order: Ordering[Any] = TypeUtils.getInterpretedOrdering(sequenceType)

  def stored(metadata: Metadata): Option[Any] = metadata.configuration.get(property).map(parse)

  /** Returns the property of this sequence, if it is greater than the stored one. */
  def properties(metadata: Metadata, sequence: Option[Any]): Map[String, String] =
    sequence.filter(found => stored(metadata).forall(order.lt(_, found))).map(property -> write(_)).toMap

  def max(one: Option[Any], other: Option[Any]): Option[Any] = (one ++ other).maxOption(order)

  /** Returns whether one sequence is not after another. */
  def isUpTo(sequence: Any, until: Any): Boolean = order.lteq(sequence, until)

  private def write(sequence: Any): String = json.writeValueAsString(types.zipWithIndex.map {
    case (dataType, i) =>
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

private[applychanges] object StoredSequence {
  private val json = new ObjectMapper

  /** The greatest sequence of a truncate: events up to it stay gone, late ones too. */
  def truncated(sequenceType: DataType): StoredSequence = new StoredSequence("truncatedAt", sequenceType)

  /** The greatest sequence of a delete that the state no longer has: events up to it may have been deleted. */
  def forgotten(sequenceType: DataType): StoredSequence = new StoredSequence("forgottenUntil", sequenceType)
}
