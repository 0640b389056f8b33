// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.deltasource

import org.apache.spark.SparkContext

/** Spark's queue of events, which only its own packages may wait for. */
object ListenerBus {

  /** Returns when every listener has heard of all that has happened so far. */
  def drain(context: SparkContext): Unit = context.listenerBus.waitUntilEmpty()
}
