// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.streaming.OutputMode

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.stream.model.{FileSystemErrors, FileSystemFailure, StreamException}

/**
 * Where and how the rows of a query are written, as the user asked for it.
 *
 * @param path the path of the table
 */
private[delta] final case class Target(
    path: Path,
    catalogTable: Option[CatalogTable],
    partitionColumns: Seq[String],
    outputMode: OutputMode,
    options: DeltaOptions
) {

  /** Whether each batch replaces all rows of the table. */
  val replacesTable: Boolean = outputMode == OutputMode.Complete

  /** From the option, or else from a session conf as of when the query is created. */
  val mergesSchema: Boolean = options.canMergeSchema

  val overwritesSchema: Boolean = replacesTable && options.canOverwriteSchema

  /**
   * Runs a job that writes files. If it fails, the error is ours where a task of it failed with one, and
   * `DELTASOURCE_BATCH_WRITE_FAILED` where the file system fails. If an expression or a function of the query
   * fails, the error is Spark's `TASK_WRITE_FAILED`, whose message also has the reason.
   */
  private[stream] def writingFiles[A](batchId: Long)(write: => A): A =
    try write
    catch {
      case StreamException.InTask(error) => throw error
      case e @ FileSystemFailure.OfWriteJob(reason) => throw writeFailed(batchId)(reason, e)
      case e: Exception => throw ExplainedTaskFailure.of(e, path.toString).getOrElse(e)
    }

  private[stream] def writeFailed(batchId: Long)(reason: Throwable, cause: Throwable): Throwable =
    FileSystemErrors.batchWriteFailed(batchId, path.toString, reason, cause)

  /**
   * Returns the last batch in the offset log of the query's checkpoint, or -1 if there is none. Returns
   * None if the checkpoint's location was not given as an option of the writer. Fails with
   * `DELTASOURCE_CHECKPOINT_FAILED` if the file system fails.
   */
  def lastPlannedBatch(): Option[Long] =
    options.options.get("checkpointLocation").map { checkpoint =>
      val offsets = new Path(checkpoint, "offsets")
      FileSystemErrors.naming(FileSystemErrors.checkpointFailedAtStart(offsets.toString, _, _)) {
        val fileSystem = offsets.getFileSystem(SparkSession.active.sessionState.newHadoopConf())
        val files = if (fileSystem.exists(offsets)) fileSystem.listStatus(offsets).toSeq else Nil
        files.flatMap(_.getPath.getName.toLongOption).maxOption.getOrElse(-1L)
      }
    }
}
