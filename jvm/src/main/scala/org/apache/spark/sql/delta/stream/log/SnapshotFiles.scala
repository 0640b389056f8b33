// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.stream.model.FileList

/** The files of an initial snapshot, in its order. The stream holds them open until it has read them. */
private[delta] trait SnapshotFiles extends FileList {
  def version: Long

  /** Returns the files from this index on. */
  override def from(index: Long): Iterator[AddFile]

  /** The version's in-commit timestamp, in milliseconds since 1970, if the table has them enabled. */
  def inCommitTimestamp: Option[Long]

  /** The modification time of the version's commit file, in milliseconds since 1970, if it is known yet. */
  def commitFileTime: Option[Long]

  /** How many files there are, if they were counted already. */
  def knownSize: Option[Long]

  /** The implementation that these files are read from; differs from this only for a wrapper. */
  def underlying: SnapshotFiles = this

  /**
   * Releases what is held. May be called twice.
   *
   * @param unpersistSnapshot also release Delta's cached state of the table, which nothing else uses if the
   *                          version is old
   */
  def close(unpersistSnapshot: Boolean): Unit
}

/**
 * The files of a snapshot that Delta keeps in memory, read through [[SnapshotRetry]]. Their order does not
 * depend on which files of the log they are read from, so positions stay valid after a reload.
 *
 * @param openFiles returns the files of a snapshot, in the order of an initial snapshot
 */
private[log] final class CachedSnapshotFiles(
    snapshot: Snapshot,
    snapshotRetry: SnapshotRetry,
    openFiles: Snapshot => SnapshotFiles
) extends SnapshotFiles {

  private val current = new AtomicReference(openFiles(snapshot))

  override def version: Long = snapshot.version

  override def inCommitTimestamp: Option[Long] = current.get.inCommitTimestamp

  override def commitFileTime: Option[Long] = current.get.commitFileTime

  override def knownSize: Option[Long] = current.get.knownSize

  override def size: Long = retrying(_.size)

  override def from(index: Long): Iterator[AddFile] = retrying(_.from(index))

  override def underlying: SnapshotFiles = current.get

  override def close(unpersistSnapshot: Boolean): Unit = current.get.close(unpersistSnapshot)

  private def retrying[A](read: SnapshotFiles => A): A = {
    val files = current.get
    // Once counted, the files have been read whole, and no file of the log is needed any more.
    if (files.knownSize.nonEmpty) read(files)
    else
      snapshotRetry.withRetry(snapshot) { found =>
        if (found ne snapshot) current.set(openFiles(found))
        read(current.get)
      }
  }
}
