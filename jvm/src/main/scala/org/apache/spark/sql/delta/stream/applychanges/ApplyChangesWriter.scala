// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.sql.streaming.OutputMode

import org.apache.spark.sql.delta.DeltaColumnMapping
import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.conf.ApplyChangesSettings
import org.apache.spark.sql.delta.stream.model.ApplyChangesErrors
import org.apache.spark.sql.delta.stream.sink.{
  AdaptiveExecution,
  Batch,
  BatchWriter,
  SinkTransaction,
  Target,
  TargetSchema
}

/**
 * Applies the events of a batch to the rows of the target (docs/internals/design/0018-apply-changes.md).
 *
 * @param isAdaptive whether the user's session has adaptive execution
 */
private[delta] final class ApplyChangesWriter(
    settings: ApplyChangesSettings,
    target: Target,
    isAdaptive: Boolean)
    extends BatchWriter {

  private val (targetFiles, stateFiles) = (new FileList, new FileList)
  private val compactedAtMs = new AtomicLong(Long.MinValue / 2)
  private val compactIntervalMs = 3600 * 1000L

  override def readsState(batch: Batch): Boolean = true

  /** All that a batch writes is decided by sequences, so it may be applied again to a target that has changed. */
  override def retriesConflicts: Boolean = true

  /** The settings are compared with those of the table in each batch. */
  override def requireSuitable(table: Metadata): Unit = ()

  override def write(txn: SinkTransaction, batch: Batch): BatchWriter.Written =
    AdaptiveExecution.using(batch.spark, isAdaptive)(applyTo(txn, batch))

  private def applyTo(txn: SinkTransaction, batch: Batch): BatchWriter.Written = {
    val path = target.path.toString
    val batchMs = batch.batchTimestampMs.filter(_ => target.outputMode == OutputMode.Update)
    val inEvents = new EventBinding(settings, batch.rows, batchMs).columns
      .fold(mistakes => throw ApplyChangesErrors.invalid(mistakes, path), identity)
    prepare(txn, batch, inEvents)
    // The state has its own ids of columns, or none.
    val columns = inEvents.inTarget(DeltaColumnMapping.dropColumnMappingMetadata(txn.metadata.schema))
    val events = columns.events(batch.rows)
    val found = target.writingFiles(batch.id)(BatchKeys.of(events, columns, path))
    val truncation = StoredSequence.truncated(columns.sequence)
    val truncated = truncation.max(truncation.stored(txn.metadata), found.truncated)
    txn.setProperties(truncation.properties(txn.metadata, found.truncated))
    val state = new State(batch.spark, txn.deltaLog.dataPath, columns, stateFiles)
    forget(txn, state)
    if (found.keys.isEmpty) BatchWriter.Written(Nil)
    else
      new Application(txn, target, batch, columns, found.keys, truncated, events, targetFiles, state).run()
  }

  /** Removes old deletes from the state, at the first batch of a run and once an hour. */
  private def forget(txn: SinkTransaction, state: State): Unit = {
    val now = txn.deltaLog.clock.getTimeMillis()
    val last = compactedAtMs.get
    if (now - last >= compactIntervalMs && compactedAtMs.compareAndSet(last, now))
      state.compact(settings.tombstoneRetention.map(now - _))
  }

  /** Other settings are refused before another schema: it is because of them that the schema differs. */
  private def prepare(txn: SinkTransaction, batch: Batch, columns: EventColumns): Unit = {
    val settings = new StoredSettings(columns, target.path.toString).properties(txn.metadata)
    if (txn.snapshot.version < 0) requireEmpty(batch)
    // The columns that are ours are added to a table of the user's.
    val missing = TargetSchema.missing(columns.targetSchema, from = txn.metadata.schema)
    val addsColumns =
      target.mergesSchema || missing.forall(field => EventColumns.reserved.contains(field.name))
    new TargetSchema(batch.spark, target, addsColumns).prepare(txn, batch, columns.targetSchema)
    txn.setProperties(settings)
    txn.readWholeTable()
  }

  /** Fails if a folder without a Delta table has files: they would look like files of the new table to others. */
  private def requireEmpty(batch: Batch): Unit = {
    val fileSystem = target.path.getFileSystem(batch.spark.sessionState.newHadoopConf())
    val found =
      if (fileSystem.exists(target.path)) fileSystem.listStatus(target.path).map(_.getPath.getName).toSeq
      else Nil
    found.filterNot(name => name.startsWith("_") || name.startsWith(".")).minOption.foreach { name =>
      throw ApplyChangesErrors.invalid(
        Seq(s"the folder is not a Delta table, and it has files, such as $name; choose an empty folder"),
        target.path.toString)
    }
  }
}
