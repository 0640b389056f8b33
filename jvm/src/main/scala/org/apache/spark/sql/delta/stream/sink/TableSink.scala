// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.atomic.AtomicReference

import scala.jdk.CollectionConverters._

import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.streaming.OneTimeTrigger

import org.apache.spark.sql.delta.actions.{Action, SetTransaction}
import org.apache.spark.sql.delta.stream.{StreamConf, StreamErrors}
import org.apache.spark.sql.delta.{
  AdaptiveMetadataTableFeature,
  DeltaLog,
  DeltaOperations,
  DeltaTable,
  Snapshot,
  TransactionExecutionObserver
}

/**
 * Writes the batches of one query into one table, each of them once (docs/design/0014-sink.md). Before the first
 * nothing is opened but the query's checkpoint, which must be asked before the query runs.
 */
final class TableSink(query: => String, log: => DeltaLog, target: Target) extends Logging {

  private val run = Verdict.Run(System.currentTimeMillis(), target.lastPlannedBatch())

  private lazy val queryId = query
  private lazy val deltaLog = log
  private lazy val markers = new Markers(queryId, deltaLog, target.catalogTable)
  private lazy val table = new NewestTarget(deltaLog, target.catalogTable)

  private val cell = new AtomicReference(SinkState())
  private val hooks = new HooksBeside

  /** Commits the batch, unless the table has it already: it is there whole, or not at all. */
  def add(batch: Batch): Unit = {
    hooks.check()
    val txn = begin(batch)
    if (cell.get.own.isEmpty) warn(txn)
    val planned = Verdict.Planned(batch.id, batch.composed)
    val (marker, report) = Verdict.of(planned, run, txn.marker(), cell.get.own) match {
      case Verdict.Write => write(txn, batch)
      case Verdict.Done(found) => skip(batch, found, "it")
      case Verdict.OtherRun(found) if batch.spark.sessionState.conf.getConf(SinkConf.refuseOtherRuns) =>
        throw StreamErrors.otherRun(found, batch.id, deltaLog.dataPath.toString)
      case Verdict.OtherRun(found) => skip(batch, found, s"batch ${found.version} of another run of it")
    }
    cell.set(SinkState(Some(marker), Some(report), batch.ends))
  }

  /**
   * What the last batch did, once; the engine asks at its end. A run that ends by itself asks once more after its last
   * batch: that is when there is nothing to do but to wait for what is written beside.
   */
  def report(): Map[String, String] = {
    val state = cell.getAndUpdate(_.copy(report = None))
    if (state.ends && state.report.isEmpty) hooks.finish() else hooks.batchEnds()
    state.report.fold(Map.empty[String, String])(_.metrics)
  }

  private def begin(batch: Batch): SinkTransaction = {
    val listInterval = batch.spark.sessionState.conf.getConf(StreamConf.listInterval)
    // The state that is read then must be of files that are there.
    val newest = table.get(if (target.replaces || readsTarget(batch)) 0 else listInterval)
    val beside = Option.when(mayBeBeside(batch, newest))(hooks)
    val txn = new SinkTransaction(deltaLog, target, newest, markers, beside)
    val _ = TransactionExecutionObserver.getObserver.startingTransaction(txn)
    txn
  }

  /** Where the run asks again before it ends, or has no end; a table whose checkpoints are commits needs them in order. */
  private def mayBeBeside(batch: Batch, table: Snapshot): Boolean = {
    val running = batch.spark.sharedState.activeStreamingQueries.values.asScala.find(_.id.toString == queryId)
    batch.spark.sessionState.conf.getConf(SinkConf.hooksBeside) &&
    running.exists(_.trigger != OneTimeTrigger) &&
    !table.protocol.isFeatureSupported(AdaptiveMetadataTableFeature)
  }

  private def write(txn: SinkTransaction, batch: Batch): (SetTransaction, SinkReport) = {
    new TargetSchema(batch.spark, target).prepare(txn, batch)
    if (readsTarget(batch)) txn.readWholeTable()
    val removed = if (target.replaces) removeAll(txn) else Nil
    val added = txn.writeFiles(TargetRows.of(batch.rows, txn.metadata.schema), Some(target.options))
    val marker = SetTransaction(queryId, batch.id, Some(deltaLog.clock.getTimeMillis()))
    val counts = Map("numAddedFiles" -> added.size, "numRemovedFiles" -> removed.size)
    txn.registerSQLMetrics(
      batch.spark,
      counts.map { case (name, count) => name -> metric(batch, name, count) })
    val version = txn.commit(marker +: (added ++ removed), operation(batch))
    txn.getCommitted.foreach(committed => markers.learn(version, committed.postCommitSnapshot, Some(marker)))
    logInfo(s"batch ${batch.id} of query $queryId is version $version of ${deltaLog.dataPath}")
    (marker, SinkReport.of(version, added ++ removed))
  }

  private def operation(batch: Batch): DeltaOperations.Operation =
    DeltaOperations.StreamingUpdate(target.outputMode, queryId, batch.id, target.options.userMetadata)

  private def metric(batch: Batch, name: String, count: Int): SQLMetric = {
    val metric = SQLMetrics.createMetric(batch.spark.sparkContext, name)
    metric.set(count.toLong)
    metric
  }

  private def readsTarget(batch: Batch): Boolean = batch.execution.analyzed.exists {
    case relation: LogicalRelation => DeltaTable.unapply(relation).exists(_.deltaLog.isSameLogAs(deltaLog))
    case _ => false
  }

  private def removeAll(txn: SinkTransaction): Seq[Action] = {
    DeltaLog.assertRemovable(txn.snapshot)
    txn.filterFiles().map(_.remove)
  }

  /** What a user may not know of the table, once a run. */
  private def warn(txn: SinkTransaction): Unit =
    DeltaLog.minSetTransactionRetentionInterval(txn.metadata).foreach { kept =>
      logWarning(
        s"${deltaLog.dataPath} forgets which batches it has after $kept ms " +
          "(delta.setTransactionRetentionDuration): a batch that is handed over again after that is written once more")
    }

  private def skip(batch: Batch, found: SetTransaction, has: String): (SetTransaction, SinkReport) = {
    logWarning(s"batch ${batch.id} of query $queryId is skipped: ${deltaLog.dataPath} has $has")
    (found, SinkReport.Skipped)
  }
}
