// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import java.sql.Timestamp

import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.functions.{col, current_timestamp, lit, max}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.{Column, DataFrame}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.{DeltaLog, DeltaOperations}

/**
 * The events of the target's keys that its rows do not show, as a Delta table of its own. Its columns are the keys and
 *
 *  - `__SEQUENCE`: the sequence of the event;
 *  - `__CHANGE`: 0 for an upsert, 1 for a delete;
 *  - `__VALUES`: if the fold needs them, the columns that the target keeps; null for a delete;
 *  - `__APPLIED_AT`: when the event was stored.
 *
 * @param target the path of the target, in whose folder the state is
 * @param list   the list of the state's files
 */
private[applychanges] final class State(
    spark: SparkSession,
    target: Path,
    columns: EventColumns,
    list: FileList) {
  import State._

  private val path = new Path(target, folder)
  private val forgottenUntil = StoredSequence.forgotten(columns.sequence)
  private lazy val snapshot = DeltaLog.forTable(spark, path).update()

  /** Returns the events of these keys; None if there is no state yet, or none of its files has one of the keys. */
  def matching(keys: KeySet, wanted: => DataFrame)(read: Column*): Option[DataFrame] =
    Option.when(snapshot.version >= 0) {
      val table = new KeyedTable(spark, snapshot, list)
      val files = table.touched(keys)
      Option.when(files.nonEmpty)(table.matching(files, keys, wanted)(read: _*))
    }.flatten

  /** The columns whose values are stored; earlier batches may have had others than this one. */
  def stored: StructType =
    snapshot.schema.find(_.name == values).map(_.dataType).collect { case struct: StructType => struct }
      .getOrElse(StructType(Nil))

  /** Returns whether a sequence is not after a delete that was removed from the state. Runs in tasks. */
  def isForgotten: Any => Boolean = {
    val stored = forgottenUntil
    val until = Option.when(snapshot.version >= 0)(stored.stored(snapshot.metadata)).flatten
    sequence => until.exists(stored.isUpTo(sequence, _))
  }

  /**
   * Rewrites the state without deletes that are too old, sorted by key. Does nothing if there are none and the state has
   * few files. The commit also says which is the greatest sequence of a delete that was removed.
   *
   * @param cutoffMs deletes stored before are too old, in milliseconds since 1970; None if none is
   */
  def compact(cutoffMs: Option[Long]): Unit = {
    val log = DeltaLog.forTable(spark, path)
    if (log.update().version >= 0) {
      val txn = log.startTransaction(None)
      val files = txn.filterFiles()
      val rows = log.createDataFrame(txn.snapshot, files)
      val isOld = col(change) === EventColumns.delete &&
        cutoffMs.fold[Column](lit(false))(ms => col(appliedAt) < lit(new Timestamp(ms)))
      val forgotten = greatest(rows.where(isOld))
      if (forgotten.nonEmpty || files.size > maxFiles) {
        val targetFiles = 1 + (files.map(_.size).sum / bytesPerFile).toInt
        val kept = if (forgotten.isEmpty) rows else withoutForgotten(rows, isOld)
        val sorted =
          kept.repartitionByRange(targetFiles, keyColumns: _*).sortWithinPartitions(keyColumns: _*)
        val properties = forgottenUntil.properties(txn.metadata, forgotten)
        if (properties.nonEmpty)
          txn.updateMetadata(txn.metadata.copy(configuration = txn.metadata.configuration ++ properties))
        val _ = txn.commit(txn.writeFiles(sorted) ++ files.map(_.remove), DeltaOperations.ManualUpdate)
      }
    }
  }

  private def keyColumns: Seq[Column] = columns.keys.fieldNames.toSeq.map(EventColumns.column)

  /**
   * Returns the rows without old deletes. With type 1, what a key had before such a delete goes with it: the
   * fold would otherwise take these values for current ones. With type 2, earlier values are history.
   */
  private def withoutForgotten(rows: DataFrame, isOld: Column): DataFrame = {
    val kept = rows.where(!isOld)
    if (columns.isTypeTwo) kept
    else {
      val key = columns.tuple(columns.keys)
      val deleted = rows
        .where(isOld)
        .groupBy(key.as("__deleted_key"))
        .agg(max(EventColumns.sequenceName).as("__deleted_at"))
      val sequence = col(EventColumns.sequenceName)
      // What was there before any event has no sequence.
      val isBefore =
        key === col("__deleted_key") && (sequence.isNull || sequence < col("__deleted_at"))
      kept.join(deleted, isBefore, "left_anti")
    }
  }

  private def greatest(deletes: DataFrame): Option[Any] = {
    val found =
      castToImpl(deletes.agg(max(EventColumns.sequenceName))).queryExecution.toRdd.map(_.copy()).collect()
    found.headOption.filterNot(_.isNullAt(0)).map(_.get(0, columns.sequence))
  }

  /** Adds the events to be remembered. */
  def append(actions: DataFrame): Unit = {
    val keysOfEvents = columns.keys.fieldNames.toSeq.map(name => col("key").getField(name).as(name))
    val values = if (columns.needsValues) Seq(col("values").as(State.values)) else Nil
    val rest = Seq(
      col("sequence").as(EventColumns.sequenceName),
      col("change").as(change),
      current_timestamp().as(appliedAt))
    actions
      .where(col("kind") === Records.Remember)
      .select(keysOfEvents ++ rest ++ values: _*)
      .coalesce(1)
      .write
      .format("delta")
      .mode("append")
      .option("mergeSchema", "true")
      .save(path.toString)
  }
}

/** The names that are stored. */
private[applychanges] object State {

  /** The folder of the state. Its name keeps VACUUM of the target away from it. */
  val folder = "_apply_changes"

  val change = "__CHANGE"
  val values = "__VALUES"
  val appliedAt = "__APPLIED_AT"

  /** A state with more files is compacted. */
  private val maxFiles = 64
  private val bytesPerFile = 64L * 1024 * 1024
}
