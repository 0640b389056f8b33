// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.atomic.AtomicReference

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.streaming.OneTimeTrigger

import org.apache.spark.sql.delta.actions.{AddFile, RemoveFile, SetTransaction}
import org.apache.spark.sql.delta.stream.conf.{SinkConf, StreamConf}
import org.apache.spark.sql.delta.stream.log.UnreadableLogFile
import org.apache.spark.sql.delta.stream.model.{ExplainedDeltaError, FileSystemErrors, TargetErrors}
import org.apache.spark.sql.delta.{
  AdaptiveMetadataTableFeature,
  ConcurrentTransactionException,
  DeltaConcurrentModificationException,
  DeltaLog,
  DeltaOperations,
  DeltaThrowable,
  Snapshot,
  TransactionExecutionObserver
}

/**
 * Writes the batches of one query into one table, each exactly once (design/0014-sink.md). Before the
 * first batch it opens nothing but the query's checkpoint, which must be read before the query runs.
 *
 * @param query the query's id; evaluated at the first batch
 * @param log   the target's log; evaluated at the first batch
 * @param writer what is done with the rows of a batch
 */
private[delta] final class TableSink(query: => String, log: => DeltaLog, target: Target, writer: BatchWriter)
    extends Logging {

  private val run = BatchDecision.Run(System.currentTimeMillis(), target.lastPlannedBatch())

  private lazy val queryId = query
  private lazy val deltaLog = log
  private lazy val lookup = new SetTransactionLookup(queryId, deltaLog, target.catalogTable)
  private lazy val latestSnapshot = new LatestTargetSnapshotProvider(deltaLog, target.catalogTable)

  private val stateRef = new AtomicReference(SinkState())
  private val hooks = new AsyncPostCommitHooks
  private val maxAttempts = 10

  /**
   * Commits the batch as one version, or skips it if the table contains it already.
   *
   * Fails with
   *
   *  - `DELTASOURCE_OTHER_RUN` if another run of the query committed the batch or a later one, unless
   *    `spark.deltasource.sink.failOnOtherRun` is off;
   *  - `DELTASOURCE_OTHER_TARGET` if the query has written earlier batches, and the table has none of them, unless
   *    `spark.deltasource.sink.failOnOtherTarget` is off;
   *  - `DELTASOURCE_OTHER_APPLY_CHANGES` if `apply_changes` keeps the table up to date, and this query does not use it;
   *  - `DELTASOURCE_BATCH_WRITE_FAILED` if the file system fails while the target is read or written;
   *  - Delta's error if the commit conflicts with those of others and the writer does not retry conflicts, or
   *    has done so ten times; or if it fails for another reason. Spark's error if the rows cannot be read;
   *  - the error of a checksum file or checkpoint of an earlier batch that failed in the background.
   */
  def add(batch: Batch): Unit = {
    hooks.beforeBatch()
    try if (writer.retriesConflicts) batch.withCachedRows(addRetrying(_, attempt = 1)) else addOnce(batch)
    catch {
      case NonFatal(e: DeltaThrowable) =>
        throw ExplainedDeltaError(e, deltaLog.dataPath.toString, advice = "")
    }
  }

  private def addRetrying(batch: Batch, attempt: Int): Unit =
    try addOnce(batch)
    catch {
      // Another run of this query has committed.
      case conflict: ConcurrentTransactionException => throw conflict
      case conflict: DeltaConcurrentModificationException if attempt < maxAttempts =>
        logWarning(
          s"batch ${batch.id} of query $queryId is written again after attempt $attempt: another commit changed " +
            s"${deltaLog.dataPath}: ${conflict.getMessage}")
        addRetrying(batch, attempt + 1)
    }

  private def addOnce(batch: Batch): Unit = {
    val txn = namingFailures(batch)(begin(batch))
    val planned = BatchDecision.PlannedBatch(batch.id, batch.batchTimestampMs)
    val found = namingFailures(batch)(readSetTransaction(txn))
    if (stateRef.get.lastTransactionOfRun.isEmpty) {
      warnOfRetention(txn)
      writer.requireSuitable(txn.metadata)
    }
    // The table may also be deleted while the query runs.
    if (BatchDecision.lacksEarlierBatches(planned, found)) refuseOrWarnOfOtherTarget(txn, batch, found)
    val decision = BatchDecision.of(planned, run, found, stateRef.get.lastTransactionOfRun)
    val (lastTransactionOfRun, report) = decision match {
      case BatchDecision.Write => write(txn, batch)
      case BatchDecision.AlreadyCommitted(transaction) => skip(batch, transaction, "it")
      case BatchDecision.CommittedByOtherRun(transaction)
          if batch.spark.sessionState.conf.getConf(SinkConf.failOnOtherRun) =>
        throw TargetErrors.otherRun(transaction, batch.id, deltaLog.dataPath.toString)
      case BatchDecision.CommittedByOtherRun(transaction) =>
        skip(batch, transaction, s"batch ${transaction.version} from another run of the query")
    }
    update(_.batchAdded(lastTransactionOfRun, report, batch.isTerminating))
  }

  /**
   * Returns the metrics of the last batch, by name, and nothing when called again. The engine calls this at
   * the end of each trigger.
   *
   * A run that ends by itself calls this once more after its last batch. That is when to wait for what is
   * still being written in the background. Throws the error of a background write that this waits for.
   */
  def report(): Map[String, String] = {
    val state = stateRef.getAndUpdate(_.reported)
    if (state.isTerminating && state.report.isEmpty) hooks.afterRun() else hooks.afterBatch()
    state.report.fold(Map.empty[String, String])(_.metrics)
  }

  private def namingFailures[A](batch: Batch)(accessLog: => A): A =
    FileSystemErrors.naming(writeFailed(batch)) {
      // Opening the log may be what fails, so this is not its own configuration.
      UnreadableLogFile.naming(batch.spark.sessionState.newHadoopConf())(accessLog)
    }

  private def writeFailed(batch: Batch)(reason: Throwable, cause: Throwable): Throwable =
    target.writeFailed(batch.id)(reason, cause)

  private def readSetTransaction(txn: SinkTransaction): Option[SetTransaction] = {
    val found = txn.readSetTransaction(stateRef.get.cachedTransaction)
    cache(txn.snapshot.version, txn.snapshot, found)
    found
  }

  private def cache(version: Long, snapshot: Snapshot, transaction: Option[SetTransaction]): Unit =
    update(_.transactionFound(SetTransactionLookup.Cached.of(version, snapshot, transaction)))

  private def update(change: SinkState => SinkState): Unit = {
    val _ = stateRef.updateAndGet(state => change(state))
  }

  private def begin(batch: Batch): SinkTransaction = {
    val listInterval = batch.spark.sessionState.conf.getConf(StreamConf.listInterval)
    // These batches read the table's state, so the log is listed: files of an older listing may be deleted.
    val (snapshot, listedAtMs) =
      latestSnapshot.get(if (writer.readsState(batch)) 0 else listInterval, stateRef.get.listedAtMs)
    update(_.snapshotRead(listedAtMs))
    val asyncHooks = Option.when(canRunHooksAsync(batch, snapshot))(hooks)
    val txn = new SinkTransaction(deltaLog, target, snapshot, lookup, asyncHooks)
    val _ = TransactionExecutionObserver.getObserver.startingTransaction(txn)
    txn
  }

  /**
   * Returns whether post-commit hooks may run in the background of a running query. With the trigger `Once`
   * they may not: the run ends without asking for metrics once more, which is where the sink waits for the
   * hooks. A table whose checkpoints are commits (adaptive metadata) needs them in order.
   */
  private def canRunHooksAsync(batch: Batch, table: Snapshot): Boolean = {
    val activeQuery =
      batch.spark.sharedState.activeStreamingQueries.values.asScala.find(_.id.toString == queryId)
    batch.spark.sessionState.conf.getConf(SinkConf.asyncPostCommitHooks) &&
    activeQuery.exists(_.trigger != OneTimeTrigger) &&
    !table.protocol.isFeatureSupported(AdaptiveMetadataTableFeature)
  }

  private def write(txn: SinkTransaction, batch: Batch): (SetTransaction, SinkMetrics) = {
    val written = writer.write(txn, batch)
    val transaction = SetTransaction(queryId, batch.id, Some(deltaLog.clock.getTimeMillis()))
    val counts = Map(
      "numAddedFiles" -> written.actions.count(_.isInstanceOf[AddFile]),
      "numRemovedFiles" -> written.actions.count(_.isInstanceOf[RemoveFile]))
    txn.registerSQLMetrics(
      batch.spark,
      counts.map { case (name, count) => name -> metric(batch, name, count) })
    val version = namingFailures(batch)(txn.commit(transaction +: written.actions, operation(batch)))
    txn.getCommitted.foreach(committed => cache(version, committed.postCommitSnapshot, Some(transaction)))
    logInfo(s"batch ${batch.id} of query $queryId is committed as version $version of ${deltaLog.dataPath}")
    (transaction, SinkMetrics.of(version, written))
  }

  private def operation(batch: Batch): DeltaOperations.Operation =
    DeltaOperations.StreamingUpdate(target.outputMode, queryId, batch.id, target.options.userMetadata)

  private def metric(batch: Batch, name: String, count: Int): SQLMetric = {
    val metric = SQLMetrics.createMetric(batch.spark.sparkContext, name)
    metric.set(count.toLong)
    metric
  }

  /** Called before the first batch of a run: a user may not know that the table has a retention. */
  private def warnOfRetention(txn: SinkTransaction): Unit =
    DeltaLog.minSetTransactionRetentionInterval(txn.metadata).foreach { retentionMs =>
      logWarning(
        s"${deltaLog.dataPath} drops its record of committed batches after $retentionMs ms " +
          "(delta.setTransactionRetentionDuration): a batch that is replayed after that is written again")
    }

  /**
   * A target that lacks earlier batches of the query is refused. With a retention, their record may have been dropped;
   * and a batch that replaces the table needs no earlier ones.
   */
  private def refuseOrWarnOfOtherTarget(
      txn: SinkTransaction,
      batch: Batch,
      found: Option[SetTransaction]): Unit = {
    val mayBeDropped = DeltaLog.minSetTransactionRetentionInterval(txn.metadata).nonEmpty
    val fails = batch.spark.sessionState.conf.getConf(SinkConf.failOnOtherTarget) &&
      !target.replacesTable && !mayBeDropped
    val latest = found.map(_.version)
    if (fails) throw TargetErrors.otherTarget(queryId, batch.id, latest, deltaLog.dataPath.toString)
    logWarning(
      s"batch ${batch.id} of query $queryId is written to ${deltaLog.dataPath}, which has " +
        latest.fold("no earlier batch of it")(id => s"its batches only up to $id") +
        ". If the query wrote the others to another table, or an older copy of this one was restored, their rows are " +
        "not in it. If they belong there, stop the query and start it with a new checkpoint")
  }

  private def skip(
      batch: Batch,
      transaction: SetTransaction,
      contained: String): (SetTransaction, SinkMetrics) = {
    logWarning(
      s"batch ${batch.id} of query $queryId is skipped: ${deltaLog.dataPath} already contains $contained")
    (transaction, SinkMetrics.Skipped)
  }
}
