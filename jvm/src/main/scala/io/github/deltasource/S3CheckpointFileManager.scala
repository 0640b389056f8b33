// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.io.{FileNotFoundException, IOException, InterruptedIOException}
import java.net.SocketTimeoutException
import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream
import org.apache.spark.sql.execution.streaming.checkpointing.{
  CheckpointFileManager,
  FileSystemBasedCheckpointFileManager
}
import org.apache.spark.sql.internal.SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Options.CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE
import org.apache.hadoop.fs.{
  FSDataInputStream,
  FSDataOutputStream,
  FSDataOutputStreamBuilder,
  FileAlreadyExistsException,
  FileStatus,
  Path,
  PathFilter
}

/**
 * Writes the files of a streaming checkpoint on S3 under their own names, instead of writing a temporary file
 * and renaming it. S3 has no rename: that takes about twenty requests and is not atomic. Delta writes the
 * checksum files of its log through the same interface. See docs/design/0015-object-stores.md.
 *
 * To use it, set `spark.sql.streaming.checkpointFileManagerClass` to the name of this class. It writes the
 * same files under the same names as Spark's managers, so any checkpoint can switch between them. It needs S3A
 * 3.4.2 or later with `fs.s3a.create.conditional.enabled`, and a store with conditional writes. On other file
 * systems it does what Spark does by default.
 *
 * @param path       the folder whose files are managed
 * @param hadoopConf the settings of its file system
 */
final class S3CheckpointFileManager(path: Path, hadoopConf: Configuration) extends CheckpointFileManager {
  import S3CheckpointFileManager._

  private val fs = path.getFileSystem(hadoopConf)
  private val isConditional = fs.hasPathCapability(path, FS_OPTION_CREATE_CONDITIONAL_OVERWRITE)

  /** The same file system for all that is not written here, so that both have the same settings. */
  private val delegate =
    if (isConditional) new FileSystemBasedCheckpointFileManager(path, hadoopConf)
    else CheckpointFileManager.create(path, withoutManager(hadoopConf))

  /**
   * Creates a file that becomes visible, complete, when the stream is closed. If `overwriteIfPossible` is
   * false, closing it fails with `FileAlreadyExistsException` if the file exists by then. S3 compares, so if
   * two drivers write the same file, one of them fails.
   */
  override def createAtomic(path: Path, overwriteIfPossible: Boolean): CancellableFSDataOutputStream =
    if (!isConditional) delegate.createAtomic(path, overwriteIfPossible)
    else if (overwriteIfPossible) new DirectOutputStream(builder(path).build(), failure => throw failure)
    else createIfMissing(path)

  override def open(path: Path): FSDataInputStream = delegate.open(path)
  override def list(path: Path, filter: PathFilter): Array[FileStatus] = delegate.list(path, filter)
  override def mkdirs(path: Path): Unit = delegate.mkdirs(path)
  override def exists(path: Path): Boolean = delegate.exists(path)
  override def delete(path: Path): Unit = delegate.delete(path)
  override def isLocal: Boolean = delegate.isLocal
  override def createCheckpointDirectory(): Path = delegate.createCheckpointDirectory()
  override def close(): Unit = delegate.close()

  private def createIfMissing(path: Path): CancellableFSDataOutputStream = {
    val id = UUID.randomUUID.toString
    val out = builder(path)
      .must(FS_OPTION_CREATE_CONDITIONAL_OVERWRITE, true)
      .opt(s"fs.s3a.create.header.$idHeader", id)
      .build()
    new DirectOutputStream(
      out,
      failure =>
        if (!writerOf(path, failure).contains(id))
          throw new FileAlreadyExistsException(path.toString).initCause(failure))
  }

  private def builder(path: Path): FSDataOutputStreamBuilder[_, _] =
    fs.createFile(path).overwrite(true).recursive().opt(createPerformance, true)

  /** Returns the id of the stream that wrote the file, if it has one. Fails with `failure` if there is no file. */
  private def writerOf(path: Path, failure: IOException): Option[String] =
    try Option(fs.getXAttrs(path).get(s"header.$idHeader")).map(new String(_, UTF_8))
    catch {
      case _: FileNotFoundException => throw failure
      case e: IOException =>
        failure.addSuppressed(e)
        throw failure
    }
}

private object S3CheckpointFileManager {

  /** S3A then does not check what is at the path and its parents. */
  private val createPerformance = "fs.s3a.create.performance"

  /**
   * A header of each object. If the answer to a request is lost, S3A sends it again, and S3 refuses the second
   * one because the first has succeeded: the header says so.
   */
  private val idHeader = "deltasource-write-id"

  /** Returns a copy with which Spark chooses its own manager. */
  private def withoutManager(hadoopConf: Configuration): Configuration = {
    val copy = new Configuration(hadoopConf)
    copy.unset(STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key)
    copy
  }

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
        // A timeout is such an exception too. Any other one interrupts the thread, and nothing more is asked.
        case e: InterruptedIOException if !e.isInstanceOf[SocketTimeoutException] => throw e
        case e: IOException => onFailure(e)
      }
    }

    override def cancel(): Unit = if (isOpen.compareAndSet(true, false)) {
      val _ = out.abort()
    }
  }
}
