// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.functions.{col, expr, lit, when}
import org.apache.spark.sql.{Column, DataFrame}

import org.apache.spark.sql.delta.GeneratedColumn
import org.apache.spark.sql.delta.actions.{Action, AddFile}
import org.apache.spark.sql.delta.commands.DeletionVectorUtils
import org.apache.spark.sql.delta.commands.cdc.CDCReader
import org.apache.spark.sql.delta.stream.sink.{
  Batch,
  BatchWriter,
  Cached,
  SinkTransaction,
  Target,
  TargetSchema
}

/**
 * Applies a batch with at least one event.
 *
 * @param keys      those of the batch
 * @param truncated removes everything up to this sequence
 * @param events    as [[EventColumns.events]] returns them
 * @param files     the list of the target's files
 * @param state     the events that the target does not show
 */
private[applychanges] final class Application(
    txn: SinkTransaction,
    target: Target,
    batch: Batch,
    columns: EventColumns,
    keys: KeySet,
    truncated: Option[Any],
    events: DataFrame,
    files: FileList,
    state: State) {
  import Application._

  private val spark: SparkSession = batch.spark
  private val path = target.path.toString
  private val records = new Records(columns)
  private val table = new KeyedTable(
    spark,
    txn.snapshot,
    files,
    added = TargetSchema.missing(txn.metadata.schema, from = txn.snapshot.schema))
  private val touched = table.touched(keys)
  private lazy val touchedByPath = table.byPath(touched)
  private val hasVectors = DeletionVectors.deletionVectorsWritable(txn.protocol, txn.metadata)
  private val hasChangeFeed = CDCReader.isCDCEnabledOnTable(txn.metadata, spark)

  def run(): BatchWriter.Written = Cached.using(fold()) { actions =>
    val summary = target.writingFiles(batch.id)(Summary.of(actions, isLate))
    if (summary.counts.compared > 0) compare(actions)
    if (summary.counts.remembered > 0) state.append(actions)
    val removed = summary.removed.toSeq.map { case (path, rows) => touchedByPath(path) -> rows }
    val (byVector, byRewrite) = removed.partition { case (file, _) =>
      hasVectors && file.numPhysicalRecords.nonEmpty
    }
    val rewritten = byRewrite.map(_._1)
    val added = target.writingFiles(batch.id)(writeFiles(actions, rewritten, summary.counts))
    BatchWriter.Written(
      new RemovedRows(txn.snapshot).actions(byVector) ++ rewritten.map(_.remove) ++ added,
      metrics(summary, added))
  }

  private def isLate: InternalRow => Boolean = {
    val (isForgotten, sequenceType) = (state.isForgotten, columns.sequence)
    row => !row.isNullAt(Records.Sequence) && isForgotten(row.get(Records.Sequence, sequenceType))
  }

  /** Returns the actions of the batch. */
  private def fold(): DataFrame = {
    val ofTarget =
      records.ofTarget(table.schema, columns.needsValues || hasChangeFeed, withPosition = hasVectors)
    val known =
      Option.when(touched.nonEmpty)(table.matching(touched, keys, keyRows)(ofTarget: _*)) ++
        state.matching(keys, keyRows)(records.ofState(state.stored): _*)
    val sorted = (known.toSeq :+ records.ofBatch(events))
      .reduce(_ union _)
      .where(col("change") =!= EventColumns.truncate)
      .repartition(col("key"))
      .sortWithinPartitions("key")
    val tracked = columns.tracked.map(_.map(columns.values.fieldIndex))
    val filled = columns.filled.map(columns.values.fieldIndex).toSet
    val foldKeys =
      new FoldKeys(records.schema, columns.eventWidth, tracked, filled, truncated, columns.ties, path)
    val actions =
      target.writingFiles(batch.id)(castToImpl(sorted).queryExecution.toRdd.mapPartitions(foldKeys))
    spark.internalCreateDataFrame(actions, records.schema)
  }

  private def keyRows: DataFrame = events.select("key.*")

  /** Fails if an event has the sequence of a row and other values. Reads the files of these rows once more. */
  private def compare(actions: DataFrame): Unit = {
    val suspects = actions.where(col("kind") === Records.Compare)
    val paths = suspects.select("file").distinct().collect().map(_.getString(0)).toSeq
    val rows = table
      .rows(paths.map(touchedByPath))
      .select(
        columns.tuple(columns.keys).as("key"),
        columns.targetSequence.as("sequence"),
        columns.tuple(columns.ofEvents).as("stored"))
    val values = ByName.convert(col("values"), columns.values, columns.ofEvents).as("values")
    val pairs = suspects
      .join(rows, Seq("key", "sequence"))
      .select(col("key"), col("sequence"), values, col("stored"))
    val check = new SameValues(pairs.schema, path)
    target.writingFiles(batch.id)(castToImpl(pairs).queryExecution.toRdd.foreach(check))
  }

  /** Writes the rows that are inserted, the rows of rewritten files that are kept, and the change files. */
  private def writeFiles(
      actions: DataFrame,
      rewritten: Seq[AddFile],
      counts: Summary.Counts): Seq[Action] = {
    val inserted = actions.where(col("kind") === Records.Insert)
    val removed = actions.where(col("kind") === Records.Remove)
    val data =
      Option.when(counts.written > 0)(withGenerated(inserted.select(inTarget: _*))) ++
        Option.when(rewritten.nonEmpty)(kept(rewritten, removed))
    val changes =
      if (!hasChangeFeed) Nil
      else
        Seq(
          changed(inserted, CDCReader.CDC_TYPE_INSERT, CDCReader.CDC_TYPE_UPDATE_POSTIMAGE),
          changed(removed, CDCReader.CDC_TYPE_DELETE_STRING, CDCReader.CDC_TYPE_UPDATE_PREIMAGE)
        )
    val all =
      if (hasChangeFeed)
        data.map(_.withColumn(CDCReader.CDC_TYPE_COLUMN_NAME, lit(null).cast("string"))) ++ changes
      else data
    if (counts.written + counts.deleted == 0 || all.isEmpty) Nil
    else txn.writeFiles(all.reduce(_.unionByName(_, allowMissingColumns = true)), Some(target.options))
  }

  /** Returns the rows of these files that are not removed. */
  private def kept(files: Seq[AddFile], removed: DataFrame): DataFrame = {
    val gone =
      removed.select("key", "sequence", "end").toDF("__removed_key", "__removed_sequence", "__removed_end")
    val end =
      if (columns.isTypeTwo) EventColumns.column(EventColumns.endAt) else lit(null).cast(columns.sequence)
    val isGone = columns.tuple(columns.keys) === col("__removed_key") &&
      (columns.targetSequence.cast(columns.sequence) <=> col("__removed_sequence")) && (end <=> col(
        "__removed_end"))
    table.rows(files).join(gone, isGone, "left_anti")
  }

  private def inTarget: Seq[Column] = {
    val values = columns.values.fieldNames.toSeq.map(name => col("values").getField(name).as(name))
    if (columns.isTypeTwo)
      values ++ Seq(col("sequence").as(EventColumns.startAt), col("end").as(EventColumns.endAt))
    else if (columns.storesSequence) values :+ col("sequence").as(EventColumns.sequenceName)
    else values
  }

  /** Delta computes generated columns only if no row has them, and the rows of rewritten files do. */
  private def withGenerated(rows: DataFrame): DataFrame = {
    val generated = for {
      field <- TargetSchema.missing(txn.metadata.schema, from = rows.schema)
      text <- GeneratedColumn.getGenerationExpressionStr(field.metadata)
    } yield field.name -> expr(text).cast(field.dataType)
    rows.withColumns(generated.toMap)
  }

  private def changed(actions: DataFrame, alone: String, update: String): DataFrame = {
    val changeType =
      when(col("change") === Records.Update, update).otherwise(alone).as(CDCReader.CDC_TYPE_COLUMN_NAME)
    withGenerated(actions.select(inTarget :+ changeType: _*))
  }

  private def metrics(summary: Summary, added: Seq[Action]): Map[String, String] = {
    val counts = summary.counts
    Map(
      "numRowsInserted" -> counts.inserted,
      "numRowsUpdated" -> counts.updated,
      "numRowsDeleted" -> counts.deleted,
      "numEventsIgnored" -> counts.ignored,
      "numEventsStored" -> counts.remembered,
      "numLateAfterTombstones" -> counts.late,
      "numFilesRead" -> touched.size.toLong,
      "numFilesPruned" -> (table.files.size - touched.size).toLong,
      "numFilesChanged" -> summary.removed.size.toLong,
      "numOutputRows" -> counts.written,
      "numOutputBytes" -> added.collect { case file: AddFile => file.size }.sum
    ).map { case (name, count) => name -> count.toString }
  }
}

private[applychanges] object Application {

  /** Gives access to Delta's test whether deletion vectors may be written. */
  private object DeletionVectors extends DeletionVectorUtils
}
