// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

/**
 * A stream that finds nothing new, and for how long (docs/internals/design/0015-object-stores.md).
 *
 * @param since      when it first found nothing, in monotonic milliseconds
 * @param lastLookup when it last found nothing, in monotonic milliseconds
 */
private[source] final case class Idle(since: Long, lastLookup: Long) {

  /**
   * Returns how many milliseconds to wait before the next lookup. Lookups are a tenth of the idle time apart,
   * so a commit is seen late by at most a tenth of the time since the one before it.
   *
   * @param now      monotonic milliseconds
   * @param maxDelay the maximum time between two lookups, in milliseconds; 0 never waits
   */
  def delay(now: Long, maxDelay: Long): Long =
    (lastLookup + ((lastLookup - since) / Idle.divisor).min(maxDelay) - now).max(0)

  def lookedUp(now: Long): Idle = copy(lastLookup = now)
}

private[source] object Idle {
  private val divisor = 10L

  /** A stream that finds nothing for the first time. */
  def from(now: Long): Idle = Idle(now, now)
}

/** Makes an idle stream wait before its next lookup. */
private[delta] final class IdleWait(stateRef: StreamStateRef, maxDelay: Long, clock: StreamClock) {

  /**
   * Waits if the stream is idle, unless its run ends by itself. The lookup comes after the wait, so it sees every
   * commit that was there when this was called. Fails with `InterruptedException` if the query is stopped
   * meanwhile.
   */
  def await(): Unit = {
    val state = stateRef.get
    val delay = state.idle.fold(0L)(_.delay(clock.monotonicMillis(), maxDelay))
    if (delay > 0 && state.runEnd == StreamState.Unbounded) clock.sleep(delay)
  }
}
