// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import scala.util.matching.Regex

import org.apache.spark.sql.DataFrame

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.stream.plan.PlannedFile
import org.apache.spark.sql.delta.{DeltaLog, SnapshotDescriptor}

/** Planned files as a streaming frame. */
trait BatchFrame {
  def of(files: Seq[PlannedFile]): DataFrame
}

/**
 * The rows of added files: Delta's own relation over just these files, read with the schema the stream was analysed
 * with (`StreamSchema` sees to it that they can be). One scan, for each file brings its own deletion vector.
 *
 * @param excludeRegex files whose path it finds itself in are planned, numbered and paid for, but not read
 */
final class AppendFrame(deltaLog: DeltaLog, table: SnapshotDescriptor, excludeRegex: Option[Regex])
    extends BatchFrame {

  override def of(files: Seq[PlannedFile]): DataFrame = {
    val added = files.map(_.action).collect { case add: AddFile => add }
    val read = added.filter(file => excludeRegex.forall(_.findFirstIn(file.path).isEmpty))
    deltaLog.createDataFrame(table, read, isStreaming = true)
  }
}
