// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.sql.internal.SQLConf

/** Session confs of the sink. A query uses the values from when it was started. */
private[stream] object SinkConf {

  val failOnOtherRun: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.sink.failOnOtherRun")
    .doc(
      "Whether a batch fails if another run of the query has already written a batch with its number. This happens " +
        "if two copies of the checkpoint are used, or if an older checkpoint was restored. A batch that is repeated " +
        "after a restart does not fail. If this conf is false, the new batch is skipped, whatever rows it has."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val failOnOtherTarget: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.sink.failOnOtherTarget")
    .doc(
      "Whether a query fails if its checkpoint has earlier batches and the target has none of them. The rows of these " +
        "batches are in another table, or in one that has been dropped. If this conf is false, the target gets the " +
        "next batches without the earlier rows, and a warning is logged."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val asyncPostCommitHooks: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.sink.asyncPostCommitHooks")
    .doc(
      "Whether checkpoints and checksum files of the target are written asynchronously instead of within a " +
        "batch."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)
}
