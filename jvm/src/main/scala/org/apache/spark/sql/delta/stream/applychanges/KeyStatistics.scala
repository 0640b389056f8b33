// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Cast, Literal}
import org.apache.spark.sql.types._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.spark.sql.delta.DeltaColumnMapping
import org.apache.spark.sql.delta.actions.{AddFile, Metadata}
import org.apache.spark.sql.delta.stream.applychanges.KeySet.{Range, Ranges}

/** Reads the ranges of the key columns of a file from its statistics and partition values. */
private[applychanges] final class KeyStatistics(keys: StructType, metadata: Metadata, timeZone: String) {

  private val json = new ObjectMapper
  private val partitions = metadata.partitionColumns.toSet

  private val columns =
    keys.map(key => metadata.schema.find(_.name.equalsIgnoreCase(key.name)).getOrElse(key))

  def ranges(file: AddFile): Ranges = {
    lazy val statistics =
      Option(file.stats).filter(_.nonEmpty).flatMap(text => Try(json.readTree(text)).toOption)
    columns.map { column =>
      if (partitions(column.name)) ofPartition(file, column)
      else if (!hasExactStatistics(column.dataType)) None
      else statistics.flatMap(ofStatistics(_, column))
    }.toIndexedSeq
  }

  private def ofPartition(file: AddFile, column: StructField): Option[Range] =
    file.partitionValues
      .get(DeltaColumnMapping.getPhysicalName(column))
      .flatMap(Option(_))
      .flatMap(parse(_, column.dataType))
      .map(value => Range(value, value))

  private def ofStatistics(statistics: JsonNode, column: StructField): Option[Range] =
    for {
      min <- value(statistics.get("minValues"), column)
      max <- value(statistics.get("maxValues"), column)
    } yield Range(min, max)

  private def value(values: JsonNode, column: StructField): Option[Any] =
    Option(values)
      .flatMap(node => Option(node.get(DeltaColumnMapping.getPhysicalName(column))))
      .filterNot(_.isNull)
      .flatMap(node => parse(node.asText, column.dataType))

  private def parse(text: String, dataType: DataType): Option[Any] =
    Try(Option(Cast(Literal(text), dataType, Some(timeZone), ansiEnabled = false).eval())).toOption.flatten

  /** Statistics of timestamps are cut to milliseconds, and there are none for booleans and binary. */
  private def hasExactStatistics(dataType: DataType): Boolean = dataType match {
    case _: IntegralType | _: DecimalType | StringType | DateType => true
    case _ => false
  }
}
