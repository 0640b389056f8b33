// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.connector.read.streaming.ReadLimit
import org.apache.spark.sql.execution.streaming.Offset
import org.apache.spark.sql.{DataFrame, Row}

import org.apache.spark.sql.delta.sources.DeltaSourceOffset
import org.apache.spark.sql.delta.sources.{DeltaDataSource, DeltaSource}
import org.scalatest.Assertions

/** Creates a source as Spark does, and calls it as Spark does. */
trait SourceFixture extends SharedSession with Assertions {

  protected def sourceOf(table: TestTable, options: (String, String)*): DeltaSource =
    new DeltaDataSource()
      .createSource(
        spark.sqlContext,
        table.checkpointFolder() + "/sources/0",
        None,
        "delta",
        options.toMap + ("path" -> table.path)
      )
      .asInstanceOf[DeltaSource]

  protected def latest(source: DeltaSource, from: Offset = null): DeltaSourceOffset =
    latestWithin(source, from, source.getDefaultReadLimit)

  protected def latestWithin(source: DeltaSource, from: Offset, limit: ReadLimit): DeltaSourceOffset =
    source.latestOffset(from, limit).asInstanceOf[DeltaSourceOffset]

  /** The numbers in the first column of a batch. */
  protected def rows(batch: DataFrame): Seq[Long] = collect(batch).map(_.getLong(0)).sorted

  /** The numbers in the first column of the first batch. */
  protected def firstBatch(table: TestTable, options: (String, String)*): Seq[Long] = {
    val source = sourceOf(table, options: _*)
    rows(source.getBatch(None, latest(source)))
  }

  /** The error of this, which has a condition. */
  protected def refused(body: => Any): SparkThrowable = intercept[Throwable](body) match {
    case e: SparkThrowable => e
    case other => fail(other)
  }

  /** The rows of a batch, read as a batch query. */
  protected def collect(batch: DataFrame): Seq[Row] = {
    val relation = batch.queryExecution.analyzed.transformDown {
      case relation: org.apache.spark.sql.execution.datasources.LogicalRelation =>
        relation.copy(isStreaming = false)
    }
    Dataset.ofRows(spark.asInstanceOf[org.apache.spark.sql.classic.SparkSession], relation)
      .collect().toSeq
  }

  /** All batches of a stream from its beginning, each with its end. */
  protected def batches(source: DeltaSource): Seq[(Seq[Long], DeltaSourceOffset)] =
    Iterator
      .unfold(Option.empty[DeltaSourceOffset]) { from =>
        Option(latest(source, from.orNull)).filterNot(from.contains).map { end =>
          ((rows(source.getBatch(from, end)), end), Some(end))
        }
      }
      .toVector
}
