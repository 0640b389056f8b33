// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.CountDownLatch

import org.apache.spark.sql.classic.SparkSession

import org.apache.spark.sql.delta.testing.SharedSession
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

class HooksBesideSuite extends AnyFunSuite with SharedSession with Eventually {

  private type Begin = (HooksBeside, => Unit) => Unit

  private val checksum: Begin = (hooks, work) => hooks.checksums.begin(SparkSession.active, 1)(work)
  private val checkpoint: Begin = (hooks, work) => hooks.checkpoints.write(1)(Checkpoints.LogSize(0, 0))(work)

  /** Whether this has to wait while that is being done. */
  private def waits(begin: Begin, step: HooksBeside => Unit): Boolean = {
    val (hooks, gate) = (new HooksBeside, new CountDownLatch(1))
    begin(hooks, gate.await())
    val thread = new Thread(() => step(hooks))
    thread.start()
    try eventually(timeout(30.seconds), interval(1.millis)) {
        val state = thread.getState
        assert(Set(Thread.State.WAITING, Thread.State.TERMINATED)(state))
        state == Thread.State.WAITING
      }
    finally {
      gate.countDown()
      thread.join()
      hooks.finish()
    }
  }

  test(
    "a batch and its end wait for the last checksum file, and not for a checkpoint; the end of a run for both") {
    val _ = spark
    assert(waits(checksum, _.batchEnds()) && !waits(checkpoint, _.batchEnds()))
    assert(waits(checksum, _.check()) && !waits(checkpoint, _.check()))
    assert(waits(checksum, _.finish()) && waits(checkpoint, _.finish()))
  }

  test("what fails is met by who waits, and nothing is begun behind it") {
    val _ = spark
    val hooks = new HooksBeside
    hooks.checksums.begin(SparkSession.active, 1)(throw new NoClassDefFoundError("Jackson"))
    assertThrows[NoClassDefFoundError](hooks.check())
    assertThrows[IllegalArgumentException](hooks.checksums.begin(SparkSession.active, 2)(()))
    assertThrows[NoClassDefFoundError](hooks.finish())
  }
}
