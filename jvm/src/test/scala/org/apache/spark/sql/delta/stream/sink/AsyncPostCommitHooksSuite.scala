// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.CountDownLatch

import org.apache.spark.sql.classic.SparkSession

import org.apache.spark.sql.delta.testing.SharedSession
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

class AsyncPostCommitHooksSuite extends AnyFunSuite with SharedSession with Eventually {

  private type Begin = (AsyncPostCommitHooks, => Unit) => Unit

  private val checksum: Begin = (hooks, work) => hooks.checksums.start(SparkSession.active, 1)(work)
  private val checkpoint: Begin =
    (hooks, work) => hooks.checkpoints.write(1)(AsyncCheckpointWriter.LogSize(0, 0))(work)

  /** Returns whether `step` waits while the work that `begin` started is running. */
  private def waits(begin: Begin, step: AsyncPostCommitHooks => Unit): Boolean = {
    val (hooks, gate) = (new AsyncPostCommitHooks, new CountDownLatch(1))
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
      hooks.afterRun()
    }
  }

  test("a batch's start and end wait for the checksum file only, a run's end for the checkpoint too") {
    val _ = spark
    assert(waits(checksum, _.afterBatch()) && !waits(checkpoint, _.afterBatch()))
    assert(waits(checksum, _.beforeBatch()) && !waits(checkpoint, _.beforeBatch()))
    assert(waits(checksum, _.afterRun()) && waits(checkpoint, _.afterRun()))
  }

  test("an error is thrown to the caller that waits, and no new work starts after it") {
    val _ = spark
    val hooks = new AsyncPostCommitHooks
    hooks.checksums.start(SparkSession.active, 1)(throw new NoClassDefFoundError("Jackson"))
    assertThrows[NoClassDefFoundError](hooks.beforeBatch())
    assertThrows[IllegalArgumentException](hooks.checksums.start(SparkSession.active, 2)(()))
    assertThrows[NoClassDefFoundError](hooks.afterRun())
  }
}
