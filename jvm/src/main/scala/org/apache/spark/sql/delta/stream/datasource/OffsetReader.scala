// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.datasource

import scala.util.control.NonFatal

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.connector.read.streaming.Offset

import org.apache.spark.sql.delta.sources.DeltaSourceOffset
import org.apache.spark.sql.delta.stream.model.StreamErrors

/** Parses offsets from a checkpoint, which may be damaged or written by another program. */
private[delta] object OffsetReader {

  /**
   * Parses an offset. Fails if the offset belongs to another table, if its format version is not known, or if
   * it is malformed.
   *
   * @param tableId      the id of the stream's table
   * @param metadataPath the source's own folder in the checkpoint, for the error message
   */
  def parse(tableId: String, metadataPath: String, offset: Offset): DeltaSourceOffset =
    tryParse(tableId, metadataPath, offset).fold(error => throw error, identity)

  /** Like `parse`, but returns the error instead of throwing it. */
  def tryParse(tableId: String, metadataPath: String, offset: Offset): Either[Throwable, DeltaSourceOffset] =
    try Right(DeltaSourceOffset(tableId, offset))
    catch {
      case e: SparkThrowable => Left(e.asInstanceOf[Throwable])
      case e @ (NonFatal(_) | _: AssertionError) =>
        Left(StreamErrors.malformedOffset(metadataPath, offset.json, e))
    }
}
