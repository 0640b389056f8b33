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
        "a copy of its checkpoint, stop one of the two runs. If an older checkpoint was restored, start " +
        "with a new one. If neither is true, check that this driver's clock is not behind that of the driver " +
        "that planned the batch. If you know that the rows are the same, set " +
        "spark.deltasource.sink.failOnOtherRun=false: such batches are then skipped.",
      Map(
        "queryId" -> found.appId,
        "batchId" -> batchId.toString,
        "found" -> found.version.toString,
        "path" -> dataPath)
    )

  /**
   * The sink's table has no batch of the query, which has written earlier batches elsewhere.
   *
   * @param batchId the batch to be written now
   */
  def otherTarget(queryId: String, batchId: Long, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_OTHER_TARGET",
      s"Batch $batchId was not written to $dataPath. The checkpoint says that query $queryId has written earlier " +
        "batches, but this table has none of them: it would lack their rows. If they are in another table, give " +
        "the query that table as its target. For a new target, use a new checkpoint: the query then reads the source " +
        "from its start option on. If the table should not have the earlier rows, or has them from a copy, set " +
        "spark.deltasource.sink.failOnOtherTarget=false for the next run.",
      Map("queryId" -> queryId, "batchId" -> batchId.toString, "path" -> dataPath)
    )
}
