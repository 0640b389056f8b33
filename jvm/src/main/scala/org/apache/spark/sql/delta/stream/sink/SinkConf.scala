// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.sql.internal.SQLConf

/** Session confs of the sink, as of when a query begins. */
object SinkConf {

  val refuseOtherRuns: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.sink.refuseOtherRuns")
    .doc(
      "Whether a batch fails when the table has one of its number that another run of the same query has written, on " +
        "a copy or an older state of the checkpoint. When off it is skipped, whatever rows it has."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val hooksBeside: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.sink.hooksBeside")
    .doc(
      "Whether checkpoints and checksum files of the target are written beside what the query does next, instead of " +
        "within a batch.")
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)
}
