// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.io.File
import java.net.URI

import org.apache.hadoop.fs.{FileStatus, Path, RawLocalFileSystem}

/** Local files under the scheme of Delta Sharing, where all files have the same modification time. */
final class SharingLogFileSystem extends RawLocalFileSystem {
  override def getScheme: String = "delta-sharing-log"
  override def getUri: URI = URI.create("delta-sharing-log:///")
  override def pathToFile(path: Path): File = new File(path.toUri.getPath)

  override def getFileStatus(path: Path): FileStatus = timeless(super.getFileStatus(path))
  override def listStatus(path: Path): Array[FileStatus] = super.listStatus(path).map(timeless)

  private def timeless(status: FileStatus): FileStatus =
    new FileStatus(
      status.getLen,
      status.isDirectory,
      1,
      status.getBlockSize,
      0,
      makeQualified(status.getPath)
    )
}
