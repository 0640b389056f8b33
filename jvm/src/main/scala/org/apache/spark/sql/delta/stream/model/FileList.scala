// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.delta.actions.{FileAction, RemoveFile}

/** The files of one version in stream order, numbered from 0. Reading can start at any index. */
private[delta] trait FileList {

  /** The number of files. */
  def size: Long

  /** Returns the files from `index` on. The cost depends on the files taken, not on the files skipped. */
  def from(index: Long): Iterator[FileAction]

  /** Returns the total bytes of the files from `index` on, or None if that requires fetching files. */
  def bytesFrom(index: Long): Option[Long] = None
}

private[delta] object FileList {
  val empty: FileList = of(IndexedSeq.empty)

  /** Returns a list of files that are held in memory. */
  def of(files: IndexedSeq[FileAction]): FileList = new FileList {
    override def size: Long = files.size.toLong
    override def from(index: Long): Iterator[FileAction] =
      if (index >= files.size) Iterator.empty else files.iterator.drop(index.toInt)

    // Cached because one commit may be split into many batches, and each asks for the bytes that remain.
    private lazy val remaining = FileList.bytesLeft(files.map(bytes))
    override def bytesFrom(index: Long): Option[Long] =
      Some(if (index >= files.size) 0 else remaining(index.toInt))
  }

  /** Returns the size of a file in bytes, as limits count it; 0 for a `remove` action without a size. */
  def bytes(file: FileAction): Long = file match {
    case remove: RemoveFile => remove.size.getOrElse(0L)
    case other => other.getFileSize
  }

  /**
   * Returns the total bytes from each index on: one element per file, and a final 0.
   *
   * @param bytes the size of each file in bytes
   */
  def bytesLeft(bytes: IndexedSeq[Long]): Array[Long] = bytes.scanRight(0L)(plus).toArray

  /**
   * Adds without overflow and ignores negative sizes, because a log may contain any number as a file size.
   */
  private def plus(size: Long, sum: Long): Long =
    if (size <= 0) sum else if (sum > Long.MaxValue - size) Long.MaxValue else sum + size
}
