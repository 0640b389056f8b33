// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.io.{FileNotFoundException, IOException, InterruptedIOException}
import java.net.SocketTimeoutException
import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean

import scala.annotation.tailrec

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream

import org.apache.hadoop.fs.{
  FSDataOutputStream,
  FSDataOutputStreamBuilder,
  FileAlreadyExistsException,
  FileSystem,
  Path
}

/**
 * Writes files on S3 under their own names, a small one with one PUT. Nothing is looked up first, and S3 shows
 * an object only when it is complete. Needs a file system for which
 * [[S3DirectWriter.isSupported]] is true.
 */
private[deltasource] final class S3DirectWriter(fs: FileSystem) {
  import S3DirectWriter._

  /**
   * Returns a stream whose file replaces an existing one when it is closed. Closing it fails with the file
   * system's exception.
   */
  def replace(path: Path): Output = new DirectOutputStream(builder(path).build(), failure => throw failure)

  /**
   * Returns a stream whose file becomes visible when it is closed. Closing it fails with Hadoop's
   * `FileAlreadyExistsException` if the file exists by then: S3 compares, so if two drivers write the same
   * file, one of them fails. It fails with the store's answer if the file is missing afterwards, and with the
   * exception of the lookup, which has that answer as suppressed, if the lookup fails. An interrupted thread
   * looks nothing up, so the file may exist.
   */
  def create(path: Path): Output = {
    val id = UUID.randomUUID.toString
    val out = builder(path)
      .must(conditionalOverwrite, true)
      .opt(s"fs.s3a.create.header.$idHeader", id)
      .build()
    new DirectOutputStream(
      out,
      failure =>
        if (!writerOf(path, failure, conflictLookups).contains(id))
          throw new FileAlreadyExistsException(path.toString).initCause(failure))
  }

  private def builder(path: Path): FSDataOutputStreamBuilder[_, _] =
    fs.createFile(path).overwrite(true).recursive().opt(createPerformance, true)

  /**
   * Returns the id of the stream that wrote the file, if it has one. Fails with `failure` if there is no file.
   * If S3 reported a conflict, another driver is writing the file: it is looked up until it is there.
   */
  @tailrec
  private def writerOf(path: Path, failure: IOException, lookups: Int): Option[String] =
    lookup(path, failure) match {
      case Some(writer) => writer
      case None if lookups > 1 && statusOf(failure).contains(409) =>
        Thread.sleep(conflictDelayMillis)
        writerOf(path, failure, lookups - 1)
      case None => throw failure
    }

  /** Returns None if there is no file, and otherwise the id of its writer, if it has one. */
  private def lookup(path: Path, failure: IOException): Option[Option[String]] =
    try Some(Option(fs.getXAttrs(path).get(s"header.$idHeader")).map(new String(_, UTF_8)))
    catch {
      case _: FileNotFoundException => None
      case e: IOException =>
        e.addSuppressed(failure)
        throw e
    }
}

private[deltasource] object S3DirectWriter {
  type Output = CancellableFSDataOutputStream

  /** S3A then does not check what is at the path and its parents. */
  private val createPerformance = "fs.s3a.create.performance"

  /**
   * A header of each object. If the answer to a request is lost, S3A sends it again, and S3 refuses the second
   * one because the first has succeeded: the header says so.
   */
  private val idHeader = "deltasource-write-id"

  /** How often, and how many milliseconds apart, a file is looked up after a conflict. */
  /** Hadoop has a constant for it since 3.4.2; Spark 4.0 comes with 3.4.1. */
  private val conditionalOverwrite = "fs.option.create.conditional.overwrite"

  private val conflictLookups = 50
  private val conflictDelayMillis = 100L

  /** Returns the HTTP status that the store answered with; None if there was no answer. */
  def statusOf(failure: Throwable): Option[Int] =
    Iterator
      .unfold(Option(failure))(_.map(e => (e, Option(e.getCause))))
      .flatMap(statusMethod)
      .nextOption()

  /** The AWS SDK is not on the compile class path; its exceptions and S3A's have a public `statusCode`. */
  private def statusMethod(failure: Throwable): Option[Int] =
    failure.getClass.getMethods
      .find(method => method.getName == "statusCode" && method.getParameterCount == 0)
      .map(_.invoke(failure))
      .collect { case status: Integer => status.intValue }

  /**
   * Whether the file system sends conditional writes: S3A 3.4.2 or later, unless
   * `fs.s3a.create.conditional.enabled` is off. It does not know whether the store has them.
   */
  def isSupported(fs: FileSystem, path: Path): Boolean =
    fs.hasPathCapability(path, conditionalOverwrite)

  /**
   * Writes a file without a temporary one.
   *
   * @param onFailure called if closing fails; returns if the file was written all the same
   */
  private final class DirectOutputStream(out: FSDataOutputStream, onFailure: IOException => Unit)
      extends CancellableFSDataOutputStream(out) {
    private val isOpen = new AtomicBoolean(true)

    override def close(): Unit = if (isOpen.compareAndSet(true, false)) {
      try super.close()
      catch {
        // A timeout is such an exception too. Any other one means that the thread was interrupted.
        case e: InterruptedIOException if !e.isInstanceOf[SocketTimeoutException] => throw e
        case e: IOException => onFailure(e)
      }
    }

    override def cancel(): Unit = if (isOpen.compareAndSet(true, false)) {
      val _ = out.abort()
    }
  }
}
