// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.lang.{Boolean => JBoolean}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.FileAlreadyExistsException
import java.util.{Iterator => JIterator}

import scala.jdk.CollectionConverters._

import io.delta.storage.HadoopFileSystemLogStore
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileAlreadyExistsException => HadoopFileAlreadyExistsException, FileStatus, Path}

/**
 * A log store for S3 that commits with a conditional PUT (`If-None-Match`). S3 itself then refuses a commit
 * whose version exists, so any number of drivers may write to a table, without a lock table. Delta's default,
 * `S3SingleDriverLogStore`, looks whether the version exists and then writes it: if two drivers do so at the
 * same time, one commit is lost. See docs/object-stores.md.
 *
 * To use it, set `spark.delta.logStore.s3a.impl` to the name of this class in every driver that writes to the
 * table. It writes the same files as Delta's log stores. It needs S3A 3.4.2 or later and a store with
 * conditional writes; before the first commit in a bucket it finds out whether the store has them, and fails
 * with `DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED` if not. [[S3LogStore]] uses Delta's default there.
 *
 * @param initHadoopConf the settings that Delta creates the log store with
 */
final class S3ConditionalLogStore(initHadoopConf: Configuration)
    extends HadoopFileSystemLogStore(initHadoopConf) {

  /**
   * Writes a file of the log, each action as a line, with one PUT if it is small.
   *
   * Fails with `java.nio.file.FileAlreadyExistsException` if `overwrite` is false and the file exists, and
   * with `DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED` if the store cannot compare. Nothing is written then.
   */
  override def write(
      path: Path,
      actions: JIterator[String],
      overwrite: JBoolean,
      hadoopConf: Configuration): Unit = {
    val fs = path.getFileSystem(hadoopConf)
    ConditionalWrites.missing(fs, path.getParent).foreach(reason =>
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

  /** Lists the folder once. S3's listings are consistent. Fails with `FileNotFoundException` if it is missing. */
  override def listFrom(path: Path, hadoopConf: Configuration): JIterator[FileStatus] = {
    val files = path.getFileSystem(hadoopConf).listStatus(path.getParent)
    files.filter(_.getPath.getName >= path.getName).sortBy(_.getPath.getName).iterator.asJava
  }

  /** S3 shows a file only when it is complete. */
  override def isPartialWriteVisible(path: Path, hadoopConf: Configuration): JBoolean = false
}
