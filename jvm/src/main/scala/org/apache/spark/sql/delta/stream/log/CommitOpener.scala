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
import org.apache.spark.sql.delta.stream.log.parse.CommitChecksum

/**
 * Opens commit files. The status that a listing or lookup returned is passed along, so that an object store
 * is not asked for it again, and a small file gets a small buffer.
 */
private[stream] final class CommitOpener(store: LogStore, hadoopConf: RefreshingHadoopConf) {
  import CommitOpener._

  /**
   * Returns the lines of a commit, for the caller to close. Reads through the log store where the store has
   * its own way of reading. Fails with `FileNotFoundException` if the file no longer exists; some stores do
   * so only while reading.
   */
  def lines(file: FileStatus): ClosableIterator[String] =
    if (canBypassLogStore(file)) linesOf(open(file)) else store.readAsIterator(file, hadoopConf.get())

  /** Returns the same lines, and adds them to the checksum as they are read. */
  def lines(file: FileStatus, checksum: CommitChecksum): ClosableIterator[String] =
    if (canBypassLogStore(file)) linesOf(checksum.wrap(open(file)))
    else checksum.wrap(store.readAsIterator(file, hadoopConf.get()))

  /**
   * Whether the lines of a commit can be read from the bytes at its path. A log store may have its own way of
   * reading files, or keep them at other paths.
   */
  def canBypassLogStore(file: FileStatus): Boolean =
    readsAsHadoop(store, file.getPath) &&
      PhysicalPath.of(store, file.getPath, hadoopConf.get()) == file.getPath

  /**
   * Opens the file to read its bytes, bypassing the log store, whose interface has none. Only valid where
   * [[canBypassLogStore]]. Fails with `FileNotFoundException` if the file no longer exists.
   */
  def open(file: FileStatus): FSDataInputStream = {
    val path = file.getPath
    val opening = path
      .getFileSystem(hadoopConf.get())
      .openFile(path)
      .opt(FS_OPTION_OPENFILE_READ_POLICY, readPolicy)
      .optLong(FS_OPTION_OPENFILE_BUFFER_SIZE, file.getLen.max(minBufferBytes).min(maxBufferBytes))
      .withFileStatus(file)
    FutureIO.awaitFuture(opening.build())
  }

  private def linesOf(in: InputStream): ClosableIterator[String] =
    new LineClosableIterator(new InputStreamReader(in, UTF_8))
}

private[stream] object CommitOpener {

  /** A file system uses the first of these policies that it supports. */
  private val readPolicy =
    s"$FS_OPTION_OPENFILE_READ_POLICY_WHOLE_FILE, $FS_OPTION_OPENFILE_READ_POLICY_SEQUENTIAL"

  private val minBufferBytes = 512L

  /** The default of `spark.buffer.size`. */
  private val maxBufferBytes = 65536L

  /** Whether the log store reads a file as Hadoop does. All of Delta's stores do; a user's own may not. */
  @tailrec
  private def readsAsHadoop(store: LogStore, path: Path): Boolean = store match {
    case delegating: DelegatingLogStore => readsAsHadoop(delegating.getDelegate(path), path)
    case adaptor: LogStoreAdaptor =>
      val read = adaptor.logStoreImpl.getClass.getMethod("read", classOf[Path], classOf[Configuration])
      read.getDeclaringClass == classOf[HadoopFileSystemLogStore]
    case _ => false
  }
}
