// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.execution.datasources.LogicalRelation

import org.apache.spark.sql.delta.actions.{Action, Metadata}
import org.apache.spark.sql.delta.stream.model.{ApplyChangesErrors, ApplyChangesProperties}
import org.apache.spark.sql.delta.{DeltaLog, DeltaTable}

/** Appends the rows of a batch, or replaces those of the table with them in complete mode. */
private[delta] final class AppendWriter(log: => DeltaLog, target: Target) extends BatchWriter {

  private lazy val deltaLog = log

  override def readsState(batch: Batch): Boolean = target.replacesTable || readsTarget(batch)

  override def retriesConflicts: Boolean = false

  /** Fails with `DELTASOURCE_OTHER_APPLY_CHANGES` if `apply_changes` keeps the table up to date. */
  override def requireSuitable(table: Metadata): Unit =
    if (ApplyChangesProperties.isTarget(table)) throw ApplyChangesErrors.writtenWithout(target.path.toString)

  override def write(txn: SinkTransaction, batch: Batch): BatchWriter.Written = {
    new TargetSchema(batch.spark, target, target.mergesSchema).prepare(txn, batch)
    if (readsTarget(batch)) txn.readWholeTable()
    val removed = if (target.replacesTable) removeAll(txn) else Nil
    val added = target.writingFiles(batch.id) {
      txn.writeFiles(ImplicitCast.of(batch.rows, txn.metadata.schema), Some(target.options))
    }
    BatchWriter.Written(added ++ removed)
  }

  private def readsTarget(batch: Batch): Boolean = batch.execution.analyzed.exists {
    case relation: LogicalRelation => DeltaTable.unapply(relation).exists(_.deltaLog.isSameLogAs(deltaLog))
    case _ => false
  }

  private def removeAll(txn: SinkTransaction): Seq[Action] = {
    DeltaLog.assertRemovable(txn.snapshot)
    txn.filterFiles().map(_.remove)
  }
}
