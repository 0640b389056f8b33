// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}
import org.apache.hadoop.util.functional.FutureIO

/**
 * Looks files up by name, with as few requests as the file system's connector allows
 * (docs/internals/design/0015-object-stores.md).
 */
private[log] object FileLookup {

  /**
   * The connectors of object stores that list the path's "folder" if `getFileStatus` finds no object, because
   * the path may be a folder. They open a file without that listing, and send nothing else until it is read.
   */
  private val listingSchemes = Set("s3a", "s3", "gs")

  /**
   * Returns the status of a file that probably does not exist: one request that no listing follows. None if
   * there is no file at the path. If there is one, this takes one request more than [[status]].
   */
  def find(fs: FileSystem, path: Path): Option[FileStatus] =
    if (listingSchemes(fs.getUri.getScheme) && !canOpen(fs, path)) None else status(fs, path)

  /** Returns the status of a file that probably exists. None if there is no file at the path. */
  def status(fs: FileSystem, path: Path): Option[FileStatus] =
    try Some(fs.getFileStatus(path)).filter(_.isFile)
    catch { case _: FileNotFoundException => None }

  private def canOpen(fs: FileSystem, path: Path): Boolean =
    try {
      FutureIO.awaitFuture(fs.openFile(path).build()).close()
      true
    } catch { case _: FileNotFoundException => false }
}
