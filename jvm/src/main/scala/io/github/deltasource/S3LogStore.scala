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
 * Commits as [[S3ConditionalLogStore]] does where S3A and the store have conditional writes, and as Delta's
 * default, `S3SingleDriverLogStore`, does elsewhere: there, only one driver at a time may write to a table,
 * and a warning says so. Python's `deltasource.configure` sets it for `s3a://`.
 *
 * @param initHadoopConf the settings that Delta creates the log store with
 */
final class S3LogStore(initHadoopConf: Configuration)
    extends HadoopFileSystemLogStore(initHadoopConf)
    with Logging {

  private val conditional = new S3ConditionalLogStore(initHadoopConf)
  private val singleDriver = new S3SingleDriverLogStore(initHadoopConf)

  /** Writes a file of the log. Fails with `FileAlreadyExistsException` if it exists and `overwrite` is false. */
  override def write(
      path: Path,
      actions: JIterator[String],
      overwrite: JBoolean,
      hadoopConf: Configuration): Unit =
    // The store is asked before any action is taken from the iterator.
    try conditional.write(path, actions, overwrite, hadoopConf)
    catch {
      case e: ConditionalWritesUnsupported =>
        if (ConditionalWrites.isFirstWarning(e.store)) logWarning(
          s"${e.store} has no conditional writes (${e.reason}): only one driver at a time may write to a table")
        singleDriver.write(path, actions, overwrite, hadoopConf)
    }

  /** Lists the files of the log from this one on, in the order of their names. */
  override def listFrom(path: Path, hadoopConf: Configuration): JIterator[FileStatus] =
    conditional.listFrom(path, hadoopConf)

  /** S3 shows a file only when it is complete. */
  override def isPartialWriteVisible(path: Path, hadoopConf: Configuration): JBoolean = false
}
