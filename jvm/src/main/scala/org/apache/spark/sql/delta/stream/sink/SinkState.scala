// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.{AddFile, RemoveFile, SetTransaction}

/**
 * What a run keeps between two calls of the engine.
 *
 * @param lastTransactionOfRun     the SetTransaction of the last batch that the run wrote or found already committed
 * @param report        the metrics of that batch, until the engine asks for them
 * @param isTerminating whether the engine says that the run ends by itself
 * @param cachedTransaction the query's last SetTransaction at the version that was committed or read last
 * @param listedAtMs    when the sink last listed the target's log, in milliseconds since 1970
 */
private[sink] final case class SinkState(
    lastTransactionOfRun: Option[SetTransaction] = None,
    report: Option[SinkMetrics] = None,
    isTerminating: Boolean = false,
    cachedTransaction: Option[SetTransactionLookup.Cached] = None,
    listedAtMs: Option[Long] = None
) {

  /** A batch was written, or skipped because the table contains it already. */
  def batchAdded(transaction: SetTransaction, metrics: SinkMetrics, isTerminating: Boolean): SinkState =
    copy(lastTransactionOfRun = Some(transaction), report = Some(metrics), isTerminating = isTerminating)

  /** The engine asked for the metrics of the last batch. */
  def reported: SinkState = copy(report = None)

  /** The latest snapshot was read; the log was last listed at this time. */
  def snapshotRead(listedAtMs: Option[Long]): SinkState = copy(listedAtMs = listedAtMs)

  /** The query's last SetTransaction was read or written; None if it must not be reused. */
  def transactionFound(cached: Option[SetTransactionLookup.Cached]): SinkState =
    copy(cachedTransaction = cached)
}

/** The metrics of a batch. Their names do not change (docs/reference/metrics.md). */
private[sink] sealed abstract class SinkMetrics {

  /** Returns the metrics by name, as the engine reports them. */
  def metrics: Map[String, String]
}

private[sink] object SinkMetrics {

  /** The table contained the batch already. */
  case object Skipped extends SinkMetrics {
    override def metrics: Map[String, String] = Map("batchSkipped" -> "true")
  }

  /**
   * @param version the table version that the batch was committed as
   * @param added   how many files the commit adds
   * @param removed how many files the commit removes
   * @param bytes   the size of the added files
   * @param rows    the rows in the added files; None if one of them has no statistics
   * @param others  metrics of the writer, by name
   */
  final case class Written(
      version: Long,
      added: Int,
      removed: Int,
      bytes: Long,
      rows: Option[Long],
      others: Map[String, String])
      extends SinkMetrics {

    override def metrics: Map[String, String] = Map(
      "batchSkipped" -> "false",
      "version" -> version.toString,
      "numAddedFiles" -> added.toString,
      "numRemovedFiles" -> removed.toString,
      "numOutputBytes" -> bytes.toString
    ) ++ rows.map("numOutputRows" -> _.toString) ++ others
  }

  /** Returns the metrics of a commit. */
  def of(version: Long, written: BatchWriter.Written): Written = {
    val added = written.actions.collect { case file: AddFile => file }
    val rows = added.map(_.numPhysicalRecords)
    Written(
      version,
      added.size,
      written.actions.count(_.isInstanceOf[RemoveFile]),
      added.map(_.size).sum,
      Option.when(rows.forall(_.nonEmpty))(rows.flatten.sum),
      written.metrics
    )
  }
}
