// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import java.io.{FileNotFoundException, IOException, InterruptedIOException, UncheckedIOException}
import java.net.SocketTimeoutException
import java.nio.file.AccessDeniedException
import java.util.concurrent.ExecutionException

import org.apache.spark.SparkException

import com.fasterxml.jackson.core.JsonParseException
import org.apache.hadoop.fs.{ChecksumException, FileAlreadyExistsException, UnsupportedFileSystemException}
import org.scalatest.funsuite.AnyFunSuite

/** Which errors say that the file system failed. */
class FileSystemFailureSuite extends AnyFunSuite {

  private val denied = new AccessDeniedException("s3a://bucket/table")

  private def reasonOf(failure: Throwable): Option[IOException] = FileSystemFailure.unapply(failure)

  private def sparkError(condition: String, cause: Throwable) =
    new SparkException(condition, Map("path" -> "/log/1.json"), cause)

  test("the exception of a file system is found in those that wrap it") {
    for {
      failure <- Seq[Throwable](
        denied,
        new UncheckedIOException(denied),
        new ExecutionException(denied),
        sparkError("FAILED_READ_FILE.NO_HINT", denied),
        sparkError("FAILED_READ_FILE.NO_HINT", new RuntimeException(denied))
      )
    } assert(reasonOf(failure).contains(denied), failure)
    val timeout = new SocketTimeoutException("read timed out")
    assert(reasonOf(timeout).contains(timeout))
  }

  test("missing, existing and damaged files, interrupts and named errors are no failures of the file system") {
    for {
      failure <- Seq[Throwable](
        new FileNotFoundException("1.json"),
        new FileAlreadyExistsException("1.json"),
        new java.nio.file.FileAlreadyExistsException("1.json"),
        new UnsupportedFileSystemException("No FileSystem for scheme \"s3a\""),
        new ChecksumException("1.json", 0),
        new JsonParseException("unexpected end"),
        new InterruptedIOException,
        new ExecutionException(new FileNotFoundException("1.json")),
        sparkError("FAILED_READ_FILE.FILE_NOT_EXIST", denied),
        sparkError("FAILED_READ_FILE.NO_HINT", new JsonParseException("unexpected end")),
        new IllegalStateException(denied)
      )
    } assert(reasonOf(failure).isEmpty, failure)
  }

  private def aborted(cause: Throwable) = new SparkException("Job aborted due to stage failure", cause)

  private def reasonInJobOf(failure: Throwable): Option[IOException] =
    FileSystemFailure.OfWriteJob.unapply(failure)

  test("the exception of a file system is found in a job that writes rows") {
    for (failure <- Seq(denied, aborted(denied), aborted(sparkError("TASK_WRITE_FAILED", denied))))
      assert(reasonInJobOf(failure).contains(denied), failure)
  }

  test("a file that a job cannot read, and a job that fails otherwise, are no failures of the table written") {
    for {
      failure <- Seq[Throwable](
        sparkError("FAILED_READ_FILE.NO_HINT", denied),
        aborted(sparkError("TASK_WRITE_FAILED", sparkError("FAILED_READ_FILE.NO_HINT", denied))),
        aborted(sparkError("FAILED_READ_FILE.FILE_NOT_EXIST", denied)),
        aborted(new IllegalStateException(denied)),
        new SparkException("Job 0 cancelled")
      )
    } assert(reasonInJobOf(failure).isEmpty, failure)
  }
}
