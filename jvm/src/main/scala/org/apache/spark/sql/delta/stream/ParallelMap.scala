// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import java.util.concurrent.{Callable, ExecutionException}

import org.apache.spark.util.ThreadUtils

/**
 * Applies a function to each value on threads of its own. Spark's `ThreadUtils.parmap` waits for Scala futures, which a
 * fatal error (`OutOfMemoryError`, `StackOverflowError`, `LinkageError`) never completes: its caller hangs. Here each
 * value has an outcome, and the first failure in the order of the values is thrown as it is on the caller's thread.
 */
private[stream] object ParallelMap {

  def apply[A, B](values: Seq[A], threadPrefix: String, maxThreads: Int)(body: A => B): Seq[B] = {
    val threads = ThreadUtils.newDaemonFixedThreadPool(values.size.min(maxThreads).max(1), threadPrefix)
    try {
      val tasks = values.map { value =>
        val task: Callable[B] = () => body(value)
        threads.submit(task)
      }
      tasks.map { task =>
        try task.get()
        catch { case e: ExecutionException => throw e.getCause }
      }
    } finally {
      val _ = threads.shutdownNow()
    }
  }
}
