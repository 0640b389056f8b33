// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import java.io.{FileNotFoundException, IOException, UncheckedIOException}

import scala.annotation.tailrec
import scala.collection.AbstractIterator
import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

import org.apache.hadoop.fs.ChecksumException
import org.apache.spark.sql.delta.stream.model.FileSystemFailure

/**
 * Reading a commit failed for a reason that may pass, such as a connection that was reset. A damaged line is
 * not such a failure, nor is a file that does not exist.
 */
private[log] final class ReadFailure(val reason: Throwable) extends IOException(reason)

private[log] object ReadFailure extends Logging {

  /**
   * Object stores reset connections. Not every connector resumes in the middle of a file: the default input
   * stream of S3A 3.5.0 does not.
   */
  private val attempts = 3
  private val delayMillis = 100L

  /** Returns what `read` returns, and calls it again, up to two times, if it fails with a [[ReadFailure]]. */
  def retrying[A](path: String)(read: => A): A = retrying(path, attempts)(read)

  @tailrec
  private def retrying[A](path: String, attemptsLeft: Int)(read: => A): A =
    attempt(read) match {
      case Right(result) => result
      case Left(failure) if attemptsLeft == 1 => throw failure
      case Left(failure) =>
        logWarning(s"reading $path failed, and is tried again: ${failure.reason}")
        Thread.sleep(delayMillis)
        retrying(path, attemptsLeft - 1)(read)
    }

  private def attempt[A](read: => A): Either[ReadFailure, A] =
    try Right(read)
    catch { case e: ReadFailure => Left(e) }

  /** Returns the same lines; an error of reading them is a [[ReadFailure]]. */
  def withReadFailures[A](lines: Iterator[A]): Iterator[A] = new AbstractIterator[A] {
    override def hasNext: Boolean = reading(lines.hasNext)
    override def next(): A = reading(lines.next())
  }

  private def reading[A](read: => A): A =
    try read
    catch {
      case e: UncheckedIOException => throw asReadFailure(e.getCause)
      case NonFatal(e) => throw asReadFailure(e)
    }

  private def asReadFailure(failure: Throwable): Throwable = failure match {
    // A checksum that does not match says that the file is damaged.
    case _: FileNotFoundException | _: ChecksumException => failure
    case _ if FileSystemFailure.isInterrupt(failure) => failure
    case _ => new ReadFailure(failure)
  }
}
