// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.lang.{Boolean => JBoolean}
import java.util.{Iterator => JIterator}

import org.apache.spark.internal.Logging

import io.delta.storage.{HadoopFileSystemLogStore, S3SingleDriverLogStore}
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

/**
 * Commits as [[S3ConditionalLogStore]] does if S3A and the store support conditional writes. Otherwise it
 * commits as Delta's default, `S3SingleDriverLogStore`: then only one driver at a time may write to a table, and
 * a warning in the log says so. Python's `deltasource.configure` sets it for `s3a://` and `s3://`.
 *
 * @param initHadoopConf the settings that Delta creates the log store with
 */
final class S3LogStore(initHadoopConf: Configuration)
    extends HadoopFileSystemLogStore(initHadoopConf)
    with Logging {

  private val conditional = new S3ConditionalLogStore(initHadoopConf)
  private val singleDriver = new S3SingleDriverLogStore(initHadoopConf)

  /**
   * Writes a file of the log. Fails with `java.nio.file.FileAlreadyExistsException` if it exists and
   * `overwrite` is false, and with the file system's exception if the store cannot be asked whether it supports
   * conditional writes.
   */
  override def write(
      path: Path,
      actions: JIterator[String],
      overwrite: JBoolean,
      hadoopConf: Configuration): Unit = {
    val fs = path.getFileSystem(hadoopConf)
    ConditionalWrites.unsupportedReason(fs, path.getParent) match {
      case None => conditional.write(path, actions, overwrite, hadoopConf)
      case Some(reason) =>
        if (ConditionalWrites.isFirstWarning(fs.getUri))
          logWarning(
            s"${fs.getUri} does not support conditional writes: $reason. Only one driver at a time may write to " +
              "a table there.")
        singleDriver.write(path, actions, overwrite, hadoopConf)
    }
  }

  /**
   * Lists the files of the log from this one on, in the order of their names. Fails with
   * `FileNotFoundException` if the folder is missing.
   */
  override def listFrom(path: Path, hadoopConf: Configuration): JIterator[FileStatus] =
    if (S3DirectWriter.isSupported(path.getFileSystem(hadoopConf), path))
      conditional.listFrom(path, hadoopConf)
    else singleDriver.listFrom(path, hadoopConf)

  /** Returns false: S3 shows a file only when it is complete. */
  override def isPartialWriteVisible(path: Path, hadoopConf: Configuration): JBoolean = false
}
