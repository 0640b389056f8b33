// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import org.apache.spark.sql.execution.datasources.{FileStatusWithMetadata, PartitionedFile}

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.commands.cdc.CDCReader
import org.apache.spark.sql.delta.files.TahoeFileIndex

/** Tells the executors which version a file is read in. */
private[scan] trait VersionedFiles extends TahoeFileIndex {

  /** Returns the version, if known. */
  protected def versionOf(file: AddFile): Option[Long]

  override def fileStatusWithMetadataFromAddFile(file: AddFile): FileStatusWithMetadata = {
    val status = super.fileStatusWithMetadataFromAddFile(file)
    status.copy(metadata = status.metadata ++ versionOf(file).map(VersionedFiles.key -> _))
  }
}

/** The same for Delta's indexes of a change feed, in which the version is a partition column. */
private[scan] trait VersionedChanges extends VersionedFiles {
  override protected def versionOf(file: AddFile): Option[Long] =
    file.partitionValues.get(CDCReader.CDC_COMMIT_VERSION).flatMap(_.toLongOption)
}

private[scan] object VersionedFiles {
  private val key = "deltasource.version"

  /** Returns the version that a file is read in. */
  def versionOf(file: PartitionedFile): Option[Long] =
    file.otherConstantMetadataColumnValues.get(key).collect { case version: Long => version }
}
