// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import java.util.concurrent.atomic.AtomicReference

import scala.reflect.ClassTag

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.model.FileList

/**
 * A list of files that are stored elsewhere and fetched slice by slice, as they are needed. Holds the slice
 * fetched last: it has more files than one batch takes.
 *
 * @param size  how many files there are
 * @param fetch returns some of the files from an index on, at least one
 */
private[stream] class SlicedFileList[A <: FileAction: ClassTag](override val size: Long)(
    fetch: Long => Array[A])
    extends FileList {
  private val lastSlice = new AtomicReference((0L, Array.empty[A]))

  override def from(index: Long): Iterator[A] =
    Iterator.unfold(index)(first => Option.when(first < size)(slice(first))).flatten

  /** Releases the slice that is held. */
  def releaseSlice(): Unit = lastSlice.set((0L, Array.empty[A]))

  /** Returns the files from this index to the end of their slice, and the index after them. */
  private def slice(first: Long): (Array[A], Long) = {
    val (start, files) = lastSlice.get
    if (first >= start && first < start + files.length)
      (files.drop((first - start).toInt), start + files.length)
    else {
      val fetched = fetch(first)
      lastSlice.set((first, fetched))
      (fetched, first + fetched.length)
    }
  }
}
