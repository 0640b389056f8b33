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
      "Whether a batch fails if the table already has a batch with the same number from another run of the query." +
        " This happens if the two runs used different copies of the query's checkpoint, or if an older checkpoint " +
        "was restored. If this conf is false, the new batch is skipped, whatever rows it has."
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
