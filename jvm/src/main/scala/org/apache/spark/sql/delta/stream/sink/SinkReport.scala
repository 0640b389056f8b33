// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.{Action, AddFile, RemoveFile}

/** What became of a batch, under names that do not change (docs/progress.md). */
sealed abstract class SinkReport {
  def metrics: Map[String, String]
}

object SinkReport {

  /** The table had it already. */
  case object Skipped extends SinkReport {
    override def metrics: Map[String, String] = Map("batchSkipped" -> "true")
  }

  /**
   * @param version of the table, that the batch has made
   * @param rows    none where its files have no statistics
   */
  final case class Written(version: Long, added: Int, removed: Int, bytes: Long, rows: Option[Long])
      extends SinkReport {

    override def metrics: Map[String, String] = Map(
      "batchSkipped" -> "false",
      "version" -> version.toString,
      "numAddedFiles" -> added.toString,
      "numRemovedFiles" -> removed.toString,
      "numOutputBytes" -> bytes.toString
    ) ++ rows.map("numOutputRows" -> _.toString)
  }

  def of(version: Long, actions: Seq[Action]): Written = {
    val added = actions.collect { case file: AddFile => file }
    val rows = added.map(_.numPhysicalRecords)
    Written(
      version,
      added.size,
      actions.count(_.isInstanceOf[RemoveFile]),
      added.map(_.size).sum,
      Option.when(rows.forall(_.nonEmpty))(rows.flatten.sum))
  }
}
