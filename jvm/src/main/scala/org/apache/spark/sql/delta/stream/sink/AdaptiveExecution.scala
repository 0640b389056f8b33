// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf

private[stream] object AdaptiveExecution {

  /**
   * Plans queries over the rows of a batch with adaptive execution, or without it, as `isEnabled` says.
   *
   * The engine disables it in its session of a query with state, and on Spark 4.0 in that of every query,
   * because the engine's own plan must keep its partitions. That plan is made before the sink gets the batch.
   * What the sink puts on top may be adaptive, and should be: otherwise a batch of few rows is written as one
   * file per shuffle partition.
   */
  def using[A](session: SparkSession, isEnabled: Boolean)(use: => A): A = {
    val conf = session.sessionState.conf
    val ofEngine = conf.adaptiveExecutionEnabled
    conf.setConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED, isEnabled)
    try use
    finally conf.setConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED, ofEngine)
  }
}
