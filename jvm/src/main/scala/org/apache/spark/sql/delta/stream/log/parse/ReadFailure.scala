// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import java.io.{FileNotFoundException, IOException, UncheckedIOException}

import scala.collection.AbstractIterator

import org.apache.hadoop.fs.ChecksumException
import org.apache.spark.sql.delta.stream.model.FileSystemFailure

/**
 * Reading a commit failed for a reason that may pass, such as a connection that was reset. A damaged line is
 * not such a failure, nor is a file that does not exist.
 */
private[log] final class ReadFailure(val reason: IOException) extends IOException(reason)

private[log] object ReadFailure {

  /**
   * Object stores reset connections. Not every connector resumes in the middle of a file: S3A's default input
   * stream does not.
   */
  private val attempts = 3

  /** Returns what `read` returns, and calls it again, at most twice, if it fails with a [[ReadFailure]]. */
  def retrying[A](read: => A): A = {
    val earlier = Iterator.fill(attempts - 1) {
      try Some(read)
      catch { case _: ReadFailure => None }
    }
    earlier.flatten.nextOption().getOrElse(read)
  }

  /** Returns the same lines; an error of reading them is a [[ReadFailure]]. */
  def marking[A](lines: Iterator[A]): Iterator[A] = new AbstractIterator[A] {
    override def hasNext: Boolean = marked(lines.hasNext)
    override def next(): A = marked(lines.next())
  }

  private def marked[A](read: => A): A =
    try read
    catch {
      case e: UncheckedIOException => throw mark(e.getCause)
      case e: IOException => throw mark(e)
    }

  private def mark(failure: IOException): IOException = failure match {
    // A checksum that does not match says that the file is damaged.
    case _: FileNotFoundException | _: ChecksumException => failure
    case _ if FileSystemFailure.isInterrupt(failure) => failure
    case _ => new ReadFailure(failure)
  }
}
