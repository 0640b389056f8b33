// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.{InputStream, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8

import scala.annotation.tailrec

import io.delta.storage.HadoopFileSystemLogStore
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Options.OpenFileOptions._
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, Path}
import org.apache.hadoop.util.functional.FutureIO
import org.apache.spark.sql.delta.storage.{
  ClosableIterator,
  DelegatingLogStore,
  LineClosableIterator,
  LogStore,
  LogStoreAdaptor
}

/**
 * Opens commit files. What a listing or a look has shown of one goes with it: an object store need not be asked for
 * that once more, and a small file gets a small buffer.
 */
private[stream] final class CommitOpener(store: LogStore, hadoopConf: RenewedHadoopConf) {
  import CommitOpener._

  /** The lines of a commit, by the log store where it has its own way to read. */
  def lines(file: FileStatus): ClosableIterator[String] =
    if (hasBytes(file)) linesOf(open(file)) else store.readAsIterator(file, hadoopConf.get())

  /** The same, which are hashed as they are read. */
  def lines(file: FileStatus, hash: CommitHash): ClosableIterator[String] =
    if (hasBytes(file)) linesOf(hash.of(open(file)))
    else hash.of(store.readAsIterator(file, hadoopConf.get()))

  /** Whether the lines of a commit are the bytes at its path; a store may read, or place, its files in a way of its own. */
  def hasBytes(file: FileStatus): Boolean =
    readsAsHadoop(store, file.getPath) &&
      PhysicalPath.of(store, file.getPath, hadoopConf.get()) == file.getPath

  /** Past the log store, whose interface has no bytes. */
  def open(file: FileStatus): FSDataInputStream = {
    val path = file.getPath
    val opening = path
      .getFileSystem(hadoopConf.get())
      .openFile(path)
      .opt(FS_OPTION_OPENFILE_READ_POLICY, wholly)
      .optLong(FS_OPTION_OPENFILE_BUFFER_SIZE, file.getLen.max(smallestBuffer).min(largestBuffer))
      .withFileStatus(file)
    FutureIO.awaitFuture(opening.build())
  }

  private def linesOf(in: InputStream): ClosableIterator[String] =
    new LineClosableIterator(new InputStreamReader(in, UTF_8))
}

private[stream] object CommitOpener {

  /** The first of these that a file system knows. */
  private val wholly =
    s"$FS_OPTION_OPENFILE_READ_POLICY_WHOLE_FILE, $FS_OPTION_OPENFILE_READ_POLICY_SEQUENTIAL"

  private val smallestBuffer = 512L

  /** Spark's own, in bytes. */
  private val largestBuffer = 65536L

  /** All of Delta's stores do; one of the user's may not. */
  @tailrec
  private def readsAsHadoop(store: LogStore, path: Path): Boolean = store match {
    case delegating: DelegatingLogStore => readsAsHadoop(delegating.getDelegate(path), path)
    case adaptor: LogStoreAdaptor =>
      val read = adaptor.logStoreImpl.getClass.getMethod("read", classOf[Path], classOf[Configuration])
      read.getDeclaringClass == classOf[HadoopFileSystemLogStore]
    case _ => false
  }
}
