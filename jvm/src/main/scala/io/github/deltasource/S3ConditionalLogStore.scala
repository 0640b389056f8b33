// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.lang.{Boolean => JBoolean}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.FileAlreadyExistsException
import java.util.{Iterator => JIterator}

import scala.jdk.CollectionConverters._

import io.delta.storage.HadoopFileSystemLogStore
import io.delta.storage.internal.S3LogStoreUtil
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileAlreadyExistsException => HadoopFileAlreadyExistsException, FileStatus, Path}

/**
 * A log store for S3 that commits with a conditional PUT (`If-None-Match`). S3 refuses a commit whose version
 * exists, so any number of drivers can write to a table, without a lock table. Delta's default,
 * `S3SingleDriverLogStore`, checks whether the version exists and then writes it: if two drivers do so at the
 * same time, one commit is lost. See docs/reference/object-stores.md.
 *
 * To use it, set `spark.delta.logStore.s3a.impl` to the name of this class in every driver that writes to the
 * table, before Spark starts. It writes the same commits as Delta's log stores. It needs S3A 3.4.2 or later and
 * a store that supports `If-None-Match`. Before the first commit to a bucket it asks the store, and fails with
 * `DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED` if not. [[S3LogStore]] uses Delta's default there.
 *
 * @param initHadoopConf the settings that Delta creates the log store with
 */
final class S3ConditionalLogStore(initHadoopConf: Configuration)
    extends HadoopFileSystemLogStore(initHadoopConf) {

  /** Delta's setting for listings that start at a name. It works with S3A only. */
  private val useFastListFrom = initHadoopConf.getBoolean("delta.enableFastS3AListFrom", false)

  /**
   * Writes a file of the log, each action as a line, with one PUT if it is smaller than
   * `fs.s3a.multipart.size`.
   *
   * Fails with `java.nio.file.FileAlreadyExistsException` if `overwrite` is false and the file exists, with
   * `DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED` if the file system does not send `If-None-Match`, or if
   * `overwrite` is false and the store does not support it, and with the file system's exception if the store
   * cannot be asked or the file cannot be written.
   */
  override def write(
      path: Path,
      actions: JIterator[String],
      overwrite: JBoolean,
      hadoopConf: Configuration): Unit = {
    val fs = path.getFileSystem(hadoopConf)
    if (!overwrite || !S3DirectWriter.isSupported(fs, path))
      ConditionalWrites.unsupportedReason(fs, path.getParent).foreach(reason =>
        throw new ConditionalWritesUnsupported(fs.getUri, reason))
    val writer = new S3DirectWriter(fs)
    val out = if (overwrite) writer.replace(path) else writer.create(path)
    try {
      actions.asScala.foreach(action => out.write(s"$action\n".getBytes(UTF_8)))
      out.close()
    } catch {
      case e: HadoopFileAlreadyExistsException =>
        throw new FileAlreadyExistsException(path.toString).initCause(e)
    } finally out.cancel()
  }

  /**
   * Lists the files of the log from this one on, in the order of their names: the whole folder once, or, with
   * Delta's setting `delta.enableFastS3AListFrom`, from the name on. Fails with `FileNotFoundException` if the
   * folder is missing.
   */
  override def listFrom(path: Path, hadoopConf: Configuration): JIterator[FileStatus] = {
    val fs = path.getFileSystem(hadoopConf)
    val files =
      if (useFastListFrom) S3LogStoreUtil.s3ListFromArray(fs, path, path.getParent)
      else fs.listStatus(path.getParent)
    files.filter(_.getPath.getName >= path.getName).sortBy(_.getPath.getName).iterator.asJava
  }

  /** Returns false: S3 shows a file only when it is complete. */
  override def isPartialWriteVisible(path: Path, hadoopConf: Configuration): JBoolean = false
}
