// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.{FileAction, RemoveFile}

/** The files of one version in stream order, each known by its index; reading can begin at any of them. */
trait FileList {
  def size: Long

  /** From this index on; costs what is taken, not what is skipped. */
  def from(index: Long): Iterator[FileAction]
}

object FileList {
  val empty: FileList = of(IndexedSeq.empty)

  def of(files: IndexedSeq[FileAction]): FileList = new FileList {
    override def size: Long = files.size.toLong
    override def from(index: Long): Iterator[FileAction] =
      if (index >= files.size) Iterator.empty else files.iterator.drop(index.toInt)
  }

  /** In bytes, as limits count them; a `remove` need not say. */
  def bytes(file: FileAction): Long = file match {
    case remove: RemoveFile => remove.size.getOrElse(0L)
    case other => other.getFileSize
  }
}
