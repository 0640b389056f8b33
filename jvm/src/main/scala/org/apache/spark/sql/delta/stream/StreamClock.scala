// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

/**
 * The driver's time, in milliseconds.
 *
 * @param wall  since 1970; may be set back
 * @param ticks since some moment; never goes back
 */
final case class StreamClock(wall: () => Long, ticks: () => Long)

object StreamClock {
  val system: StreamClock = StreamClock(() => System.currentTimeMillis(), () => System.nanoTime() / 1000000)
}
