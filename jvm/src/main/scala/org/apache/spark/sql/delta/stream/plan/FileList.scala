// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.{FileAction, RemoveFile}

/** The files of one version in stream order, each known by its index; reading can begin at any of them. */
trait FileList {
  def size: Long

  /** From this index on; costs what is taken, not what is skipped. */
  def from(index: Long): Iterator[FileAction]

  /** The bytes of all files from this index on; none where files would have to be fetched for that. */
  def bytesFrom(index: Long): Option[Long] = None
}

object FileList {
  val empty: FileList = of(IndexedSeq.empty)

  def of(files: IndexedSeq[FileAction]): FileList = new FileList {
    override def size: Long = files.size.toLong
    override def from(index: Long): Iterator[FileAction] =
      if (index >= files.size) Iterator.empty else files.iterator.drop(index.toInt)

    // A commit may be cut into many batches: each asks for what is left of it.
    private lazy val left = FileList.left(files.map(bytes))
    override def bytesFrom(index: Long): Option[Long] =
      Some(if (index >= files.size) 0 else left(index.toInt))
  }

  /** In bytes, as limits count them; a `remove` need not say. */
  def bytes(file: FileAction): Long = file match {
    case remove: RemoveFile => remove.size.getOrElse(0L)
    case other => other.getFileSize
  }

  /** How many bytes there are from each index on, by the bytes of each. */
  def left(bytes: IndexedSeq[Long]): Array[Long] = bytes.scanRight(0L)(plus).toArray

  /** A log may claim sizes that are below zero, or too many for a number. */
  private def plus(size: Long, sum: Long): Long =
    if (size <= 0) sum else if (sum > Long.MaxValue - size) Long.MaxValue else sum + size
}
