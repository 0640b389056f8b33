// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.functions.{broadcast, lit}
import org.apache.spark.sql.types.{StructField, StructType}
import org.apache.spark.sql.{Column, DataFrame}

import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.actions.AddFile

/**
 * A Delta table whose rows are found by key: the target, or its state.
 *
 * @param list  the list of its files
 * @param added columns that a transaction adds to the table: null in all rows
 */
private[applychanges] final class KeyedTable(
    spark: SparkSession,
    snapshot: Snapshot,
    list: FileList,
    added: Seq[StructField] = Nil) {

  /** All files of the table. */
  lazy val files: Seq[AddFile] = list.of(snapshot)

  /** The columns of its rows. */
  val schema: StructType = StructType(snapshot.schema ++ added)

  /** Returns the files that may have rows with these keys. */
  def touched(keys: KeySet): Seq[AddFile] = {
    val statistics =
      new KeyStatistics(keys.schema, snapshot.metadata, spark.sessionState.conf.sessionLocalTimeZone)
    files.filter(file => keys.meets(statistics.ranges(file)))
  }

  /** Returns the rows of these files, all columns. */
  def rows(files: Seq[AddFile]): DataFrame =
    added.foldLeft(snapshot.deltaLog.createDataFrame(snapshot, files)) { (frame, field) =>
      frame.withColumn(field.name, lit(null).cast(field.dataType))
    }

  /**
   * Returns the rows of these files that have one of the keys.
   *
   * @param wanted  the keys as a DataFrame; evaluated if there are too many for the driver
   * @param columns what to read of a row
   */
  def matching(files: Seq[AddFile], keys: KeySet, wanted: => DataFrame)(columns: Column*): DataFrame = {
    val found = keys match {
      case exact: KeySet.Exact => withKeys(files, keys.schema, broadcast(KeyRelation.of(spark, exact)))
      case _: KeySet.Bounds => withKeys(files, keys.schema, wanted.distinct())
      case _: KeySet.All => rows(files)
    }
    found.select(columns: _*)
  }

  private def withKeys(files: Seq[AddFile], schema: StructType, frame: DataFrame): DataFrame = {
    val names = schema.fieldNames.toSeq
    val renamed = frame.toDF(names.map(name => s"$keyPrefix$name"): _*)
    val isWanted = names
      .map(name => EventColumns.column(name) === EventColumns.column(s"$keyPrefix$name"))
      .reduce(_ && _)
    rows(files).join(renamed, isWanted, "left_semi")
  }

  /** Returns the file with each path, as Spark reports it for rows. */
  def byPath(files: Seq[AddFile]): Map[String, AddFile] =
    files.map(file => SparkPath.fromPath(file.absolutePath(snapshot.deltaLog)).urlEncoded -> file).toMap

  private val keyPrefix = "__deltasource_key_"
}
