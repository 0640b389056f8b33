// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.plan.Budget
import org.scalatest.funsuite.AnyFunSuite

/** When an idle stream looks for the next commit. */
class IdleSuite extends AnyFunSuite with ProgressFixture {

  test("the time between two lookups is a tenth of the idle time, up to the limit") {
    for ((idleMs, delay) <- Seq(0 -> 0, 9 -> 0, 100 -> 10, 2499 -> 249, 2500 -> 250, 3600000 -> 250)) {
      val now = 1000L + idleMs
      assert(Idle(since = 1000, lastLookup = now).delay(now, maxDelay = 250) == delay, s"after $idleMs ms")
    }
  }

  test("time that has passed since the last lookup counts") {
    val idle = Idle(since = 0, lastLookup = 10000)
    assert(Seq(10000L, 10100L, 10250L, 90000L).map(idle.delay(_, 250)) == Seq(250, 150, 0, 0))
  }

  test("with a limit of 0 an idle stream looks in each trigger") {
    assert(Idle(since = 0, lastLookup = 10000).delay(10000, maxDelay = 0) == 0)
  }

  /** The milliseconds a stream waits in `triggers`, each after 10 ms, that all find nothing. */
  private def idle(running: DeltaStream, watch: Watch, triggers: Int): Vector[Long] = {
    val before = watch.slept.size
    val from = running.state.latestOffset
    for (_ <- 1 to triggers) {
      watch.ticks += 10
      running.idleWait.await()
      assert(running.latestOffset(from, Budget.unlimited) == from)
    }
    watch.slept.drop(before)
  }

  test("a stream waits longer the longer it is idle, and not at all after a batch") {
    val (log, watch) = (history(Vector(1)), new Watch)
    val running = stream(log, watch)
    running.idleWait.await()
    val first = running.latestOffset(None, Budget.unlimited)
    running.commit(first.get)
    assert(idle(running, watch, 500).lastOption.contains(240L))
    assert(watch.slept == watch.slept.sorted)
    log.append(1, 1)
    running.idleWait.await()
    val waited = watch.slept.size
    assert(running.latestOffset(first, Budget.unlimited) != first)
    running.idleWait.await()
    assert(watch.slept.size == waited)
  }

  test("a stream whose query reads batches from another source does not wait") {
    val (log, watch) = (history(Vector(1)), new Watch)
    val running = stream(log, watch)
    val first = running.latestOffset(None, Budget.unlimited)
    assert(idle(running, watch, 500).nonEmpty)
    running.commit(first.get)
    assert(idle(running, watch, 2).isEmpty)
  }

  test("a stream over a table without a first batch waits too") {
    val (log, watch) = (history(), new Watch)
    assert(idle(stream(log, watch, start = None), watch, 500).lastOption.contains(240L))
  }

  test("a run that ends by itself does not wait") {
    val (log, watch) = (history(Vector(1)), new Watch)
    val running = stream(log, watch)
    running.latestOffset(None, Budget.unlimited)
    assert(idle(running, watch, 500).nonEmpty)
    running.prepareForAvailableNow()
    assert(idle(running, watch, 2).isEmpty)
  }
}
