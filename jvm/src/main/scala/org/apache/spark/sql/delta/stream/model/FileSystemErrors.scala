// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

/**
 * The exceptions for failures of the file system. Each has one of our own conditions, and contains what the
 * file system said: `reason` is its exception, and `cause` the one that contained it.
 */
private[delta] object FileSystemErrors {

  /**
   * Returns what `access` returns. If the file system fails, throws what `error` makes of the exception of the file
   * system and of the one that contained it.
   */
  def naming[A](error: (Throwable, Throwable) => Throwable)(access: => A): A =
    try access
    catch { case e @ FileSystemFailure(reason) => throw error(reason, e) }

  /**
   * The log could not be listed, looked up or read.
   *
   * @param path the file, or the log's folder
   */
  def logReadFailed(path: String, reason: Throwable, cause: Throwable): Throwable =
    logReadFailed(path, reason)(new StreamException(_, _, _, Some(cause)))

  /** The same while a query is analyzed or started. `path` is that of the table. */
  def logReadFailedAtStart(path: String, reason: Throwable, cause: Throwable): Throwable =
    logReadFailed(path, reason)(new StreamStartException(_, _, _, cause))

  /** The folder of the log is gone. */
  def logGone(path: String, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_LOG_READ_FAILED",
      s"$path no longer exists: the table was deleted or moved. What the query has not read yet is missing in its " +
        "target. Restore the table at its path, then restart the query. For another table, use a new checkpoint and a " +
        "new or emptied target.",
      Map("path" -> path, "reason" -> cause.toString),
      Some(cause)
    )

  private def logReadFailed(path: String, reason: Throwable)(
      exception: (String, String, Map[String, String]) => Throwable): Throwable = exception(
    "DELTASOURCE_LOG_READ_FAILED",
    s"$path could not be read: $reason. No data was lost. Check that the file system can be reached and that " +
      "the query may read the log, then restart the query.",
    Map("path" -> path, "reason" -> reason.toString)
  )

  /**
   * The checkpoint of the query could not be listed, read or written.
   *
   * @param path the file or the folder
   */
  def checkpointFailed(path: String, reason: Throwable, cause: Throwable): Throwable =
    checkpointFailed(path, reason)(new StreamException(_, _, _, Some(cause)))

  /** The same while a query is started. */
  def checkpointFailedAtStart(path: String, reason: Throwable, cause: Throwable): Throwable =
    checkpointFailed(path, reason)(new StreamStartException(_, _, _, cause))

  private def checkpointFailed(path: String, reason: Throwable)(
      exception: (String, String, Map[String, String]) => Throwable): Throwable = exception(
    "DELTASOURCE_CHECKPOINT_FAILED",
    s"The checkpoint could not be read or written at $path: $reason. No data was lost. Check that the file " +
      "system can be reached and that the query may list, read and write its checkpoint, then restart the query.",
    Map("path" -> path, "reason" -> reason.toString)
  )

  /** The rows of a batch could not be written, or it could not be committed; it may be in the table. */
  def batchWriteFailed(batchId: Long, dataPath: String, reason: Throwable, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_BATCH_WRITE_FAILED",
      s"Batch $batchId could not be committed to $dataPath: $reason. Check that the file system can be reached " +
        "and that the query may write to the table, then restart the query. No batch is lost or written twice: " +
        "the restarted query checks whether this one was committed.",
      Map("batchId" -> batchId.toString, "path" -> dataPath, "reason" -> reason.toString),
      Some(cause)
    )
}
