// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.concurrent

import java.util.concurrent.{Callable, ExecutionException}

import org.apache.spark.util.ThreadUtils

/**
 * Applies a function to each value on a thread pool of its own. Spark's `ThreadUtils.parmap` waits for Scala
 * futures, which a fatal error (`OutOfMemoryError`, `StackOverflowError`, `LinkageError`) never completes, so
 * its caller hangs. Here every value has an outcome, fatal errors included.
 */
private[stream] object ParallelMap {

  /**
   * Returns the results in the order of the values. Throws the first failure in that order, unwrapped, on the
   * caller's thread; values that are still being processed are interrupted then.
   *
   * @param threadPrefix names the threads
   * @param maxThreads   how many values are processed at once, at most
   */
  def apply[A, B](values: Seq[A], threadPrefix: String, maxThreads: Int)(body: A => B): Seq[B] = {
    val pool = ThreadUtils.newDaemonFixedThreadPool(values.size.min(maxThreads).max(1), threadPrefix)
    try {
      val tasks = values.map { value =>
        val task: Callable[B] = () => body(value)
        pool.submit(task)
      }
      tasks.map { task =>
        try task.get()
        catch { case e: ExecutionException => throw e.getCause }
      }
    } finally {
      val _ = pool.shutdownNow()
    }
  }
}
