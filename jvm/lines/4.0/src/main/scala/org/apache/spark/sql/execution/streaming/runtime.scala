// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.execution.streaming

import org.apache.spark.sql.execution.streaming

/** The classes that Spark 4.1 moved into this package, and that the common sources and tests import from it. */
package object runtime {
  type IncrementalExecution = streaming.IncrementalExecution
  type MicroBatchExecution = streaming.MicroBatchExecution
  type StreamingExecutionRelation = streaming.StreamingExecutionRelation
  type StreamingQueryWrapper = streaming.StreamingQueryWrapper
  type StreamingRelation = streaming.StreamingRelation
  val SerializedOffset: streaming.SerializedOffset.type = streaming.SerializedOffset
  val StreamExecution: streaming.StreamExecution.type = streaming.StreamExecution
}
