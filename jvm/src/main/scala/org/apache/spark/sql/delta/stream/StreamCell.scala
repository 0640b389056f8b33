// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import java.util.concurrent.atomic.AtomicReference

/** The one mutable thing of a running stream. */
final class StreamCell {
  private val state = new AtomicReference(StreamState())

  def get: StreamState = state.get

  def update(change: StreamState => StreamState): Unit = {
    val _ = getAndUpdate(change)
  }

  def getAndUpdate(change: StreamState => StreamState): StreamState =
    state.getAndUpdate(state => change(state))
}
