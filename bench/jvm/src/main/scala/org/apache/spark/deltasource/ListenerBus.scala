// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.deltasource

import org.apache.spark.SparkContext

/** Spark's queue of listener events. It is private to `org.apache.spark`, so this object is in that package. */
object ListenerBus {

  /** Waits until all listeners have received the events so far. */
  def drain(context: SparkContext): Unit = context.listenerBus.waitUntilEmpty()
}
