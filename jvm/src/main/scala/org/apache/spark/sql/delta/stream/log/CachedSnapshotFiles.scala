// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.actions.AddFile

/**
 * The initial snapshot from a version that Delta keeps in memory, read through [[Relisting]]. The order of the files
 * does not depend on what they are read from, so positions stay as they are.
 */
private[log] final class CachedSnapshotFiles(
    snapshot: Snapshot,
    relisting: Relisting,
    filesOf: Snapshot => SnapshotFiles
) extends SnapshotFiles {

  private val opened = new AtomicReference(filesOf(snapshot))

  override def version: Long = snapshot.version

  override def inCommitTimestamp: Option[Long] = opened.get.inCommitTimestamp

  override def fileTime: Option[Long] = opened.get.fileTime

  override def counted: Option[Long] = opened.get.counted

  override def size: Long = reading(_.size)

  override def from(index: Long): Iterator[AddFile] = reading(_.from(index))

  override def underlying: SnapshotFiles = opened.get

  override def close(unpersistSnapshot: Boolean): Unit = opened.get.close(unpersistSnapshot)

  private def reading[A](read: SnapshotFiles => A): A = {
    val files = opened.get
    // What was once read whole does not need the files of the log any more.
    if (files.counted.nonEmpty) read(files)
    else
      relisting.reading(snapshot) { found =>
        if (found ne snapshot) opened.set(filesOf(found))
        read(opened.get)
      }
  }
}
