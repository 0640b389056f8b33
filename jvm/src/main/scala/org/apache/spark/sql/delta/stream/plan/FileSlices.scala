// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import java.util.concurrent.atomic.AtomicReference

import scala.reflect.ClassTag

import org.apache.spark.sql.delta.actions.FileAction

/**
 * Files that are kept elsewhere, and fetched slice by slice as they are drawn. The slice fetched last is held: it has
 * more than one batch takes.
 *
 * @param fetch some of the files from an index on, at least one
 */
class FileSlices[A <: FileAction: ClassTag](override val size: Long)(fetch: Long => Array[A])
    extends FileList {
  private val held = new AtomicReference((0L, Array.empty[A]))

  override def from(index: Long): Iterator[A] =
    Iterator.unfold(index)(first => Option.when(first < size)(slice(first))).flatten

  /** Lets go of what was fetched. */
  def forget(): Unit = held.set((0L, Array.empty[A]))

  private def slice(first: Long): (Array[A], Long) = {
    val (begin, files) = held.get
    if (first >= begin && first < begin + files.length)
      (files.drop((first - begin).toInt), begin + files.length)
    else {
      val fetched = fetch(first)
      held.set((first, fetched))
      (fetched, first + fetched.length)
    }
  }
}
