// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import scala.util.control.NonFatal

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.connector.read.streaming.Offset

import org.apache.spark.sql.delta.stream.StreamErrors

/** Where offsets come in: from a checkpoint that anybody may have written, or damaged. */
private[sources] object OffsetReader {

  /** The offset of this table; fails for another table's, for versions of the format it does not know, for garbage. */
  def read(tableId: String, metadataPath: String, offset: Offset): DeltaSourceOffset =
    find(tableId, metadataPath, offset).fold(error => throw error, identity)

  /** The same, or why not. */
  def find(tableId: String, metadataPath: String, offset: Offset): Either[Throwable, DeltaSourceOffset] =
    try Right(DeltaSourceOffset(tableId, offset))
    catch {
      case e: SparkThrowable => Left(e.asInstanceOf[Throwable])
      case e @ (NonFatal(_) | _: AssertionError) =>
        Left(StreamErrors.malformedOffset(metadataPath, offset.json, e))
    }
}
