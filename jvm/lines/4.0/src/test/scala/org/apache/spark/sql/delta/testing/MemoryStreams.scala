// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import org.apache.spark.sql.Encoder
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.MemoryStream

object MemoryStreams {
  def create[A](spark: SparkSession, encoder: Encoder[A]): MemoryStream[A] =
    MemoryStream(encoder, spark.sqlContext)
}
