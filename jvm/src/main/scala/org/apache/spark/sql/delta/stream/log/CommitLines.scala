// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.storage.ClosableIterator
import org.apache.spark.sql.delta.stream.log.parse.ReadFailure
import org.apache.spark.sql.delta.stream.model.{FileSystemErrors, FileSystemFailure}

/** Reads the lines of a commit through Delta's log store, which does not try again if the connection is reset. */
private[stream] object CommitLines {

  /**
   * Returns what `parse` makes of the lines. If reading them fails, reads them again, up to two times, and then fails
   * with `DELTASOURCE_LOG_READ_FAILED`. Fails with a `FileNotFoundException` if there is no such commit.
   */
  def read[A](deltaLog: DeltaLog, commit: Path)(parse: Iterator[String] => A): A =
    read(commit.toString)(deltaLog.store.readAsIterator(commit, deltaLog.newDeltaHadoopConf()))(parse)

  private[log] def read[A](path: String)(open: => ClosableIterator[String])(
      parse: Iterator[String] => A): A =
    try
      ReadFailure.retrying(path) {
        val lines = open
        try parse(ReadFailure.withReadFailures(lines))
        finally lines.close()
      }
    catch {
      case e: FileNotFoundException => throw e
      case e: ReadFailure => throw FileSystemErrors.logReadFailed(path, e.reason, e)
      case e @ FileSystemFailure(reason) => throw FileSystemErrors.logReadFailed(path, reason, e)
    }
}
