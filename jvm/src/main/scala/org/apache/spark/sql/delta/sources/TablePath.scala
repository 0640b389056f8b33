// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.util.PartitionUtils
import org.apache.spark.sql.delta.{DeltaErrors, DeltaLog, DeltaTableUtils, DeltaTimeTravelSpec}

/**
 * What a path names: the root of the table it lies in, the partition values on the way there, and the version or time
 * behind an `@`. A path that lies in no table is taken as it is.
 */
private[sources] final case class TablePath(
    root: Path,
    partitions: Seq[(String, String)],
    timeTravel: Option[DeltaTimeTravelSpec]
)

private[sources] object TablePath extends Logging {

  /** The path in the options, which must name one. */
  def of(parameters: Map[String, String]): Path =
    new Path(CaseInsensitiveMap(parameters).getOrElse("path", throw DeltaErrors.pathNotSpecifiedException))

  /** @param options what the file system is opened with */
  def parse(spark: SparkSession, text: String, options: Map[String, String]): TablePath = {
    val (place, timeTravel) = DeltaTableUtils.extractIfPathContainsTimeTravel(spark, text, options)
    val path = new Path(place)
    val root = DeltaTableUtils.findDeltaTableRoot(spark, path, options).getOrElse(path)
    if (root == path) TablePath(root, Nil, timeTravel)
    else {
      logWarning(s"$text names a partition of the table $root; read the table and filter with where instead")
      TablePath(root, partitions(path.toString.substring(root.toString.length + 1)), timeTravel)
    }
  }

  /** The log of the table there, or of the one that a catalog has told. */
  def log(
      spark: SparkSession,
      catalogTable: Option[CatalogTable],
      path: Path,
      options: Map[String, String]): DeltaLog = catalogTable match {
    case Some(table) => DeltaLog.forTable(spark, table, options)
    case None => DeltaLog.forTable(spark, path, options)
  }

  // What Delta splits at slashes and equals signs may have neither.
  private def partitions(below: String): Seq[(String, String)] =
    try PartitionUtils.parsePathFragmentAsSeq(below)
    catch {
      case _: ArrayIndexOutOfBoundsException => throw DeltaErrors.partitionPathParseException(below)
    }
}
