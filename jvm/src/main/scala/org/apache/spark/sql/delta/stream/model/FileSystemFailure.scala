// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import java.io.{FileNotFoundException, IOException, InterruptedIOException, UncheckedIOException}
import java.net.SocketTimeoutException
import java.nio.channels.ClosedByInterruptException
import java.nio.file.{FileAlreadyExistsException => NioFileAlreadyExistsException}
import java.util.concurrent.ExecutionException

import scala.annotation.tailrec

import org.apache.spark.{SparkException, SparkThrowable}

import com.fasterxml.jackson.core.JacksonException
import org.apache.hadoop.fs.{
  ChecksumException,
  FileAlreadyExistsException,
  ParentNotDirectoryException,
  UnsupportedFileSystemException
}

/** Recognizes failures of the file system, such as a store that denies access or does not answer. */
private[delta] object FileSystemFailure {

  /**
   * Returns the exception of the file system. None for missing, existing and damaged files, missing connectors,
   * interrupts, and errors that Spark or Delta has a condition for, except `FAILED_READ_FILE.NO_HINT`, whose
   * cause is returned.
   */
  @tailrec
  def unapply(failure: Throwable): Option[IOException] = failure match {
    case _: FileNotFoundException | _: ChecksumException | _: JacksonException => None
    case _: FileAlreadyExistsException | _: NioFileAlreadyExistsException => None
    case _: UnsupportedFileSystemException | _: ParentNotDirectoryException => None
    case _ if isInterrupt(failure) => None
    case e: SparkThrowable if e.getCondition == "FAILED_READ_FILE.NO_HINT" => ofCause(failure)
    case _: SparkThrowable => None
    case e: IOException => Some(e)
    case _: UncheckedIOException | _: ExecutionException => unapply(failure.getCause)
    case _ => None
  }

  /** The same failures, in a job that writes rows. */
  object OfWriteJob {

    /**
     * Returns the exception of the file system. None also for a file that could not be read: Spark's error
     * names the file, and the table that is written is not to blame.
     */
    def unapply(failure: Throwable): Option[IOException] = failure match {
      case e: SparkException if isTaskFailure(e) => Option(e.getCause).flatMap(unapply)
      case _: SparkThrowable => None
      case _ => FileSystemFailure.unapply(failure)
    }

    /** Spark aborts a job with an error without a condition; what a task threw is its cause. */
    private def isTaskFailure(failure: SparkException): Boolean =
      Option(failure.getCondition).forall(_ == "TASK_WRITE_FAILED")
  }

  /** Whether the exception says that the thread was interrupted. A timeout has a similar type. */
  def isInterrupt(failure: Throwable): Boolean = failure match {
    case _: SocketTimeoutException => false
    case _: InterruptedIOException | _: ClosedByInterruptException => true
    case _ => false
  }

  /** Spark's error wraps those of its readers. */
  private def ofCause(failure: Throwable): Option[IOException] =
    Causes.of(failure).drop(1).collectFirst { case FileSystemFailure(reason) => reason }
}
