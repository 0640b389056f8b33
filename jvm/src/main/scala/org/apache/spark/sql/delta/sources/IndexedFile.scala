// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.delta.actions.{AddCDCFile, AddFile, FileAction, RemoveFile}
import org.apache.spark.sql.delta.stream.plan.{Entry, FileList, PositionCodec}

/**
 * One file, or one marker without a file, at its index inside a version. The documented shape, which an encoder of
 * Delta's is derived from; our own code speaks of `Entry`.
 *
 * @param index the sentinel numbers of `DeltaSourceOffset` for the markers, the position among the files otherwise
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

  /** In bytes; 0 for a marker, and for a `remove` that does not say. */
  override def getFileSize: Long = file.fold(0L)(FileList.bytes)

  private def file: Option[FileAction] = Seq[FileAction](add, remove, cdc).find(_ != null)
}

object IndexedFile {
  private[sources] def of(entry: Entry): IndexedFile =
    new IndexedFile(
      entry.position.version,
      PositionCodec.index(entry.position.place),
      add = entry.file.collect { case add: AddFile => add }.orNull,
      remove = entry.file.collect { case remove: RemoveFile => remove }.orNull,
      cdc = entry.file.collect { case change: AddCDCFile => change }.orNull
    )
}
