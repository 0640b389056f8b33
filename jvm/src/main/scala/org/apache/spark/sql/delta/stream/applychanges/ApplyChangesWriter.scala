// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.streaming.OutputMode

import org.apache.spark.sql.delta.stream.conf.ApplyChangesSettings
import org.apache.spark.sql.delta.stream.model.ApplyChangesErrors
import org.apache.spark.sql.delta.stream.sink.{Batch, BatchWriter, SinkTransaction, Target, TargetSchema}

/** Applies the events of a batch to the rows of the target (docs/design/0018-apply-changes.md). */
private[delta] final class ApplyChangesWriter(settings: ApplyChangesSettings, target: Target)
    extends BatchWriter {

  override def readsState(batch: Batch): Boolean = true

  override def write(txn: SinkTransaction, batch: Batch): BatchWriter.Written = {
    val path = target.path.toString
    val inEvents = EventColumns
      .of(settings, batch.rows, batch.batchTimestampMs.filter(_ => target.outputMode == OutputMode.Update))
      .fold(mistakes => throw ApplyChangesErrors.invalid(mistakes, path), identity)
    prepare(txn, batch, inEvents)
    val columns = inEvents.inTarget(txn.metadata.schema)
    Cached.using(columns.events(batch.rows)) { events =>
      val found = target.writingFiles(batch.id)(BatchKeys.of(events, columns, path))
      val truncation = new Truncation(columns.sequence)
      val truncated = truncation.max(truncation.stored(txn.metadata), found.truncated)
      txn.setProperties(truncation.properties(txn.metadata, found.truncated))
      if (found.keys.isEmpty) BatchWriter.Written(Nil)
      else new Application(txn, target, batch, columns, found.keys, truncated, events).run()
    }
  }

  private def prepare(txn: SinkTransaction, batch: Batch, columns: EventColumns): Unit = {
    new TargetSchema(batch.spark, target).prepare(txn, batch, columns.targetSchema)
    txn.setProperties(new StoredSettings(columns, target.path.toString).properties(txn.metadata))
    txn.readWholeTable()
  }
}
