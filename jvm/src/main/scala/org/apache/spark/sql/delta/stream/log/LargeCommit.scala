// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.{FileNotFoundException, InputStream}
import java.util.concurrent.atomic.AtomicReference

import org.apache.hadoop.io.Text
import org.apache.hadoop.util.LineReader
import org.apache.spark.sql.delta.DeltaErrors
import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.plan.Commit

/**
 * A commit whose file is too large to be held parsed. It is read once to judge it, and once more, a slice at a time, as
 * batches come to its files: never from its first line again (docs/design/0012-large-commits.md).
 *
 * @param open its file from a byte on; fails if it is not the file any more that was judged
 */
private[log] final class LargeCommit(file: CommitFile, reads: CommitParser.Reads)(
    open: (CommitFile, Long) => LargeCommit.Opened) {

  /** With what was read from it, and as it was last seen: what once decided that it is the same decides no more. */
  private val judged = new AtomicReference(file)

  def parse(): Commit = {
    val hash = new CommitHash
    val commit = reading(0, hash.of)(parse).copy(content = Some(hash.value))
    judged.updateAndGet(_.copy(content = commit.content))
    commit
  }

  private def parse(lines: Iterator[(Long, String)]): Commit = {
    val files = KeptFiles.Noted(slice(reads.takes))
    val changeFiles = KeptFiles.Noted(slice(CommitParser.isChangeFile))
    CommitParser.parse(file, lines, CommitParser.Draft(reads, files, changeFiles))
  }

  /** @param takes which of the files that a line has are counted */
  private def slice(takes: FileAction => Boolean)(from: Long, most: Int): Array[FileAction] =
    try reading(from, identity) { lines =>
        val found = lines.map { case (_, line) => ActionLine.read(line) }
        found.collect { case action: FileAction if takes(action) => action }.take(most).toArray
      }
    catch { case e: FileNotFoundException => throw DeltaErrors.logFileNotFoundExceptionForStreamingSource(e) }

  /** @param through what the bytes go through first */
  private def reading[A](from: Long, through: InputStream => InputStream)(
      body: Iterator[(Long, String)] => A): A = {
    val opened = open(judged.get, from)
    judged.set(opened.file)
    try body(lines(through(opened.in), from))
    finally opened.in.close()
  }

  /** Each line with the place where it begins, in bytes. */
  private def lines(in: InputStream, from: Long): Iterator[(Long, String)] = {
    val reader = new LineReader(in)
    val line = new Text
    Iterator.unfold(from) { at =>
      val bytes = reader.readLine(line)
      Option.when(bytes > 0)(((at, line.toString), at + bytes))
    }
  }
}

private[log] object LargeCommit {

  /** @param file the commit as it was found, with what is known of its content */
  final case class Opened(file: CommitFile, in: InputStream)
}
