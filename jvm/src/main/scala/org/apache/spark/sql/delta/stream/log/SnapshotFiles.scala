// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.stream.plan.FileList

/** The files of an initial snapshot, held while the stream reads them. */
trait SnapshotFiles extends FileList {
  def version: Long

  override def from(index: Long): Iterator[AddFile]

  /** When the version was made, in milliseconds since 1970, if the table keeps that in its commits. */
  def inCommitTimestamp: Option[Long]

  /** When the file of the version's commit was written, in milliseconds since 1970, if that is known by now. */
  def fileTime: Option[Long]

  /** How many files there are, if that is known by now. */
  def counted: Option[Long]

  /** What they are read from, where these only stand in front of it. */
  def underlying: SnapshotFiles = this

  /**
   * Releases what is held; may be called twice.
   *
   * @param unpersistSnapshot release the table state as well, for nobody else will use that of an old version
   */
  def close(unpersistSnapshot: Boolean): Unit
}
