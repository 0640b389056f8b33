// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.delta.actions.{AddCDCFile, AddFile, FileAction, RemoveFile}
import org.apache.spark.sql.delta.stream.model.{FileList, PositionCodec}
import org.apache.spark.sql.delta.stream.plan.ScanEntry

/**
 * One file, or one sentinel without a file, at its index inside a version. This is the documented class, from
 * which one of Delta's encoders is derived; our own code uses `ScanEntry`.
 *
 * @param index a sentinel number of `DeltaSourceOffset` for a sentinel, otherwise the index among the files
 */
case class IndexedFile(
    version: Long,
    index: Long,
    add: AddFile,
    remove: RemoveFile = null,
    cdc: AddCDCFile = null,
    shouldSkip: Boolean = false
) extends AdmittableFile {

  def getFileAction: FileAction = file.orNull

  override def hasFileAction: Boolean = file.nonEmpty

  /** The size in bytes; 0 for a sentinel, and for a `remove` without a size. */
  override def getFileSize: Long = file.fold(0L)(FileList.bytes)

  private def file: Option[FileAction] = Seq[FileAction](add, remove, cdc).find(_ != null)
}

object IndexedFile {
  private[sources] def of(entry: ScanEntry): IndexedFile =
    new IndexedFile(
      entry.position.version,
      PositionCodec.toOffsetIndex(entry.position.index),
      add = entry.file.collect { case add: AddFile => add }.orNull,
      remove = entry.file.collect { case remove: RemoveFile => remove }.orNull,
      cdc = entry.file.collect { case change: AddCDCFile => change }.orNull
    )
}
