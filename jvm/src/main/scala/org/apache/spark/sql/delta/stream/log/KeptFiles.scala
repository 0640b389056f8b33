// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.plan.{FileList, FileSlices}

/** What is kept of the files of a commit while its lines are read. */
private[log] sealed abstract class KeptFiles {

  /** @param at where the line of the file begins, in bytes */
  def and(file: FileAction, at: Long): KeptFiles

  def isEmpty: Boolean

  def haveVectors: Boolean

  def list: FileList
}

private[log] object KeptFiles {

  /** The files themselves. */
  final case class Held(files: Vector[FileAction]) extends KeptFiles {
    override def and(file: FileAction, at: Long): Held = Held(files :+ file)
    override def isEmpty: Boolean = files.isEmpty
    override def haveVectors: Boolean = files.exists(hasVector)
    override def list: FileList = FileList.of(files)
  }

  /**
   * How large each file is, and where every so manyth begins: the files are read again from there, a slice at a time.
   *
   * @param read so many of them from a line on
   */
  final case class Noted(
      read: (Long, Int) => Array[FileAction],
      bytes: Vector[Long] = Vector.empty,
      marks: Vector[Long] = Vector.empty,
      haveVectors: Boolean = false
  ) extends KeptFiles {

    override def and(file: FileAction, at: Long): Noted = copy(
      bytes = bytes :+ FileList.bytes(file),
      marks = if (bytes.size % sliceFiles == 0) marks :+ at else marks,
      haveVectors = haveVectors || hasVector(file)
    )

    override def isEmpty: Boolean = bytes.isEmpty

    override def list: FileList = inSlices(FileList.left(bytes), marks, read)
  }

  val sliceFiles = 1000

  /** Keeps eight bytes for each file, and none of what was noted on the way. */
  private def inSlices(
      left: Array[Long],
      marks: Vector[Long],
      read: (Long, Int) => Array[FileAction]): FileList = {
    def slice(first: Long): Array[FileAction] =
      read(marks((first / sliceFiles).toInt), sliceFiles).drop((first % sliceFiles).toInt)
    new FileSlices[FileAction](left.length - 1L)(slice) {
      override def bytesFrom(index: Long): Option[Long] = Some(left(index.min(size).toInt))
    }
  }

  private def hasVector(file: FileAction): Boolean = Option(file.deletionVector).nonEmpty
}
