// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.model.FileList

/** Collects the file actions of a commit while its lines are read. */
private[parse] sealed abstract class CommitFileBuffer {

  /**
   * Returns this buffer with one more file.
   *
   * @param offset the byte offset where the line of the file begins
   */
  def append(file: FileAction, offset: Long): CommitFileBuffer

  def isEmpty: Boolean

  /** Whether any of the files has a deletion vector. */
  def hasDeletionVectors: Boolean

  /** Returns the collected files, in order. */
  def list: FileList
}

private[parse] object CommitFileBuffer {

  /** Keeps the file actions themselves. */
  final case class InMemory(files: Vector[FileAction]) extends CommitFileBuffer {
    override def append(file: FileAction, offset: Long): InMemory = InMemory(files :+ file)
    override def isEmpty: Boolean = files.isEmpty
    override def hasDeletionVectors: Boolean = files.exists(hasDeletionVector)
    override def list: FileList = FileList.of(files)
  }

  /**
   * Keeps only the size of each file and the byte offset of every 1,000th file ([[filesPerSlice]]): the files
   * are read again from there, one slice at a time.
   *
   * @param readSlice          reads up to this many files from the line at a byte offset on
   * @param sizes              the bytes of each file, as limits count them
   * @param sliceOffsets       the byte offset of the first file of each slice
   * @param hasDeletionVectors whether any of the files has a deletion vector
   */
  final case class Indexed(
      readSlice: (Long, Int) => Array[FileAction],
      sizes: Vector[Long] = Vector.empty,
      sliceOffsets: Vector[Long] = Vector.empty,
      hasDeletionVectors: Boolean = false
  ) extends CommitFileBuffer {

    override def append(file: FileAction, offset: Long): Indexed = copy(
      sizes = sizes :+ FileList.bytes(file),
      sliceOffsets = if (sizes.size % filesPerSlice == 0) sliceOffsets :+ offset else sliceOffsets,
      hasDeletionVectors = hasDeletionVectors || hasDeletionVector(file)
    )

    override def isEmpty: Boolean = sizes.isEmpty

    override def list: FileList = sliced(FileList.bytesLeft(sizes), sliceOffsets, readSlice)
  }

  val filesPerSlice = 1000

  /**
   * Returns a list that keeps eight bytes for each file, and does not hold on to the buffer.
   *
   * @param bytesLeft the bytes of all files from each index on, with a final 0
   */
  private def sliced(
      bytesLeft: Array[Long],
      sliceOffsets: Vector[Long],
      readSlice: (Long, Int) => Array[FileAction]): FileList = {
    def filesFrom(first: Long): Array[FileAction] = {
      val slice = readSlice(sliceOffsets((first / filesPerSlice).toInt), filesPerSlice)
      slice.drop((first % filesPerSlice).toInt)
    }
    new SlicedFileList[FileAction](bytesLeft.length - 1L)(filesFrom) {
      override def bytesFrom(index: Long): Option[Long] = Some(bytesLeft(index.min(size).toInt))
    }
  }

  private def hasDeletionVector(file: FileAction): Boolean = Option(file.deletionVector).nonEmpty
}
