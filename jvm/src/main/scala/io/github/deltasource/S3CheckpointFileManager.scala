// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream
import org.apache.spark.sql.execution.streaming.checkpointing.{
  CheckpointFileManager,
  FileSystemBasedCheckpointFileManager
}
import org.apache.spark.sql.internal.SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, Path, PathFilter}

/**
 * Writes the files of a streaming checkpoint on S3 under their own names, instead of writing a temporary file
 * and renaming it. S3 has no rename: that takes about twenty requests and is not atomic. Delta writes the
 * checksum files of its log through the same interface. See docs/internals/design/0015-object-stores.md.
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
  private val writer = Option.when(S3DirectWriter.isSupported(fs, path))(new S3DirectWriter(fs))

  /** The same file system for all that is not written here, so that both have the same settings. */
  private val delegate =
    if (writer.isEmpty) CheckpointFileManager.create(path, withoutManager(hadoopConf))
    else new FileSystemBasedCheckpointFileManager(path, hadoopConf)

  /**
   * Creates a file that becomes visible, complete, when the stream is closed. If `overwriteIfPossible` is
   * false, closing it fails with `FileAlreadyExistsException` if the file exists by then. S3 compares, so if
   * two drivers write the same file, one of them fails.
   */
  override def createAtomic(path: Path, overwriteIfPossible: Boolean): CancellableFSDataOutputStream =
    writer.fold(delegate.createAtomic(path, overwriteIfPossible)) { direct =>
      if (overwriteIfPossible) direct.replace(path) else direct.create(path)
    }

  override def open(path: Path): FSDataInputStream = delegate.open(path)
  override def list(path: Path, filter: PathFilter): Array[FileStatus] = delegate.list(path, filter)
  override def mkdirs(path: Path): Unit = delegate.mkdirs(path)
  override def exists(path: Path): Boolean = delegate.exists(path)
  override def delete(path: Path): Unit = delegate.delete(path)
  override def isLocal: Boolean = delegate.isLocal
  override def createCheckpointDirectory(): Path = delegate.createCheckpointDirectory()
}

private object S3CheckpointFileManager {

  /** Returns a copy with which Spark chooses its own manager. */
  private def withoutManager(hadoopConf: Configuration): Configuration = {
    val copy = new Configuration(hadoopConf)
    copy.unset(STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key)
    copy
  }
}
