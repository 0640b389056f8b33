// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import scala.util.matching.Regex

import org.apache.spark.sql.DataFrame

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.{DeltaLog, SnapshotDescriptor}

/**
 * Planned files as a streaming frame: Delta's own relation over just these files, read with the schema the stream was
 * analysed with (`StreamSchema` sees to it that they can be).
 *
 * @param excludeRegex files whose path it finds itself in are planned, numbered and paid for, but not read
 */
final class BatchFrame(deltaLog: DeltaLog, table: SnapshotDescriptor, excludeRegex: Option[Regex]) {

  def of(files: Seq[AddFile]): DataFrame = {
    val read = files.filter(file => excludeRegex.forall(_.findFirstIn(file.path).isEmpty))
    deltaLog.createDataFrame(table, read, isStreaming = true)
  }
}
