// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.concurrent

import java.util.concurrent.{ConcurrentHashMap, CyclicBarrier, TimeUnit}

import org.scalatest.concurrent.{Signaler, ThreadSignaler, TimeLimits}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

class ParallelMapSuite extends AnyFunSuite with TimeLimits {
  private implicit val interrupting: Signaler = ThreadSignaler

  test("results are in the order of their values") {
    assert(ParallelMap(1 to 100, "order", maxThreads = 8)(_ * 2) == (2 to 200 by 2))
    assert(ParallelMap(Seq.empty[Int], "empty", maxThreads = 8)(_ * 2).isEmpty)
  }

  test("as many values are processed at once as there are threads, and no more") {
    val all = new CyclicBarrier(3)
    val threads = ConcurrentHashMap.newKeySet[String]()
    ParallelMap(1 to 6, "at-once", maxThreads = 3) { _ =>
      threads.add(Thread.currentThread.getName)
      all.await(30, TimeUnit.SECONDS)
    }
    assert(threads.size == 3)
  }

  for (error <- Seq(
      new OutOfMemoryError("planted"),
      new StackOverflowError("planted"),
      new NoClassDefFoundError("planted"),
      new IllegalStateException("planted")))
    test(s"M12: ${error.getClass.getSimpleName} for one value is thrown to the caller") {
      val thrown = failAfter(10.seconds) {
        intercept[Throwable](ParallelMap(1 to 20, "fatal", maxThreads = 2) { value =>
          if (value == 7) throw error else value
        })
      }
      assert(thrown eq error)
    }
}
