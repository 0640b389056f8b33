// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import java.io.{FileNotFoundException, InputStream}
import java.util.concurrent.atomic.AtomicReference

import org.apache.hadoop.io.Text
import org.apache.hadoop.util.LineReader
import org.apache.spark.sql.delta.DeltaErrors
import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile, FileSystemErrors, FileSystemFailure}

/**
 * A commit whose file is too large to hold parsed in memory. It is read once to check it and index its files,
 * and a second time, slice by slice, as batches reach them: never again from its first line
 * (docs/internals/design/0012-large-commits.md).
 *
 * @param open opens the file at a byte offset; fails if it is no longer the file given, as last seen
 */
private[stream] final class LargeCommit(file: CommitFile, fileActionFilter: CommitParser.FileActionFilter)(
    open: (CommitFile, Long) => LargeCommit.OpenedCommit) {

  /**
   * The file as last seen, with the hash of the content that was read. Keeps the latest status, so that a
   * file once found to be the same by its content is not hashed again for each slice.
   */
  private val lastSeen = new AtomicReference(file)

  /**
   * Reads the whole commit. Fails as [[CommitParser.parse]] does. Only the sizes of its files are kept: the
   * files are read again, by slice, when they are needed.
   */
  def parse(): Commit = {
    val checksum = new CommitChecksum
    val commit = withLines(0, checksum.wrap)(parse).copy(contentHash = Some(checksum.value))
    lastSeen.updateAndGet(_.copy(contentHash = commit.contentHash))
    commit
  }

  private def parse(lines: Iterator[(Long, String)]): Commit = {
    val files = CommitFileBuffer.Indexed(readSlice(fileActionFilter.includes))
    val changeFiles = CommitFileBuffer.Indexed(readSlice(CommitParser.isChangeFile))
    CommitParser.parse(file, lines, CommitParser.CommitBuilder(fileActionFilter, files, changeFiles))
  }

  /**
   * Reads some files of the commit again. Fails with Delta's `DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE`
   * if its file no longer exists, and with `DELTASOURCE_LOG_READ_FAILED` if it cannot be read.
   *
   * @param includes which file actions belong to the list
   * @param offset   the byte offset where the line of the first file begins
   */
  private def readSlice(includes: FileAction => Boolean)(offset: Long, maxFiles: Int): Array[FileAction] =
    try
      ReadFailure.retrying(file.path) {
        withLines(offset, identity) { lines =>
          val actions = ReadFailure.withReadFailures(lines).map { case (_, line) => ActionLine.read(line) }
          actions.collect { case action: FileAction if includes(action) => action }.take(maxFiles).toArray
        }
      }
    catch {
      case e: FileNotFoundException => throw DeltaErrors.logFileNotFoundExceptionForStreamingSource(e)
      case e: ReadFailure => throw FileSystemErrors.logReadFailed(file.path, e.reason, e)
      case e @ FileSystemFailure(reason) => throw FileSystemErrors.logReadFailed(file.path, reason, e)
    }

  /**
   * Opens the file at a byte offset, and closes it after `body`.
   *
   * @param wrap wraps the bytes before they are split into lines
   */
  private def withLines[A](offset: Long, wrap: InputStream => InputStream)(
      body: Iterator[(Long, String)] => A): A = {
    val opened = open(lastSeen.get, offset)
    lastSeen.set(opened.file)
    try body(lines(wrap(opened.in), offset))
    finally opened.in.close()
  }

  /** Returns each line with the byte offset where it begins. */
  private def lines(in: InputStream, start: Long): Iterator[(Long, String)] = {
    val reader = new LineReader(in)
    val line = new Text
    Iterator.unfold(start) { offset =>
      val bytes = reader.readLine(line)
      Option.when(bytes > 0)(((offset, line.toString), offset + bytes))
    }
  }
}

private[stream] object LargeCommit {

  /**
   * The opened file of a commit.
   *
   * @param file the file as it was found, with the content hash known so far
   * @param in   its bytes, from the requested offset on; to be closed
   */
  final case class OpenedCommit(file: CommitFile, in: InputStream)
}
