// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.delta.actions.SetTransaction

/** The errors of a target whose batches do not fit the query. */
private[delta] object TargetErrors {

  /**
   * The sink's table already has a batch that another run of the query wrote.
   *
   * @param found   the last batch of the query in the table
   * @param batchId the batch to be written now
   */
  def otherRun(found: SetTransaction, batchId: Long, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_OTHER_RUN",
      s"Batch $batchId was not written to $dataPath. The table already has batch ${found.version} of query " +
        s"${found.appId} from another run, which may have had different rows. If the query also runs on " +
        "a copy of its checkpoint, stop one of the two runs. If an older checkpoint was restored, or files of the " +
        "checkpoint were lost, restore the latest one, or use a new checkpoint, and a new or emptied target. " +
        "If none of this is true, check that this driver's clock is not behind that of the driver that planned the " +
        "batch. If you know that the rows are the same, set " +
        "spark.deltasource.sink.failOnOtherRun=false: such batches are then skipped.",
      Map(
        "queryId" -> found.appId,
        "batchId" -> batchId.toString,
        "found" -> found.version.toString,
        "path" -> dataPath)
    )

  /**
   * The sink's table lacks batches that the query has written: all of them, or the latest.
   *
   * @param batchId the batch to be written now
   * @param found   the latest batch of the query in the table
   */
  def otherTarget(queryId: String, batchId: Long, found: Option[Long], dataPath: String): Throwable = {
    val why = found match {
      case None =>
        "but this table has none of them: it would lack their rows. If they are in another table, give the query " +
          "that table as its target. For a new target, use a new checkpoint: the query then reads the source from " +
          "its start option on."
      case Some(latest) =>
        s"but this table has them only up to batch $latest: it would lack the rows of the others. If an older copy " +
          "of the table was restored, restore its newer commits, too, or the checkpoint of the same time. Otherwise " +
          "use a new checkpoint, and a new or emptied target."
    }
    new StreamException(
      "DELTASOURCE_OTHER_TARGET",
      s"Batch $batchId was not written to $dataPath. The checkpoint says that query $queryId has written earlier " +
        s"batches, $why If the table should not have the missing rows, or has them from a copy, set " +
        "spark.deltasource.sink.failOnOtherTarget=false for the next run.",
      Map("queryId" -> queryId, "batchId" -> batchId.toString, "path" -> dataPath)
    )
  }
}
