// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.AddFile

/** The files of one version in stream order, each known by its index; reading can begin at any of them. */
trait FileList {
  def size: Long

  /** From this index on; costs what is taken, not what is skipped. */
  def from(index: Long): Iterator[AddFile]
}

object FileList {
  val empty: FileList = of(IndexedSeq.empty)

  def of(files: IndexedSeq[AddFile]): FileList = new FileList {
    override def size: Long = files.size.toLong
    override def from(index: Long): Iterator[AddFile] =
      if (index >= files.size) Iterator.empty else files.iterator.drop(index.toInt)
  }
}
