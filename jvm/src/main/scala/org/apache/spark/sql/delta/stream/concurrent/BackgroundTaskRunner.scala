// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.concurrent

import java.util.Properties
import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.{CompletableFuture, ExecutionException, Executor}

import org.apache.spark.sql.classic.SparkSession

/**
 * Runs work on the versions of a target in the background, one task at a time: while the batches of a query
 * go on, and outside the query's job group.
 *
 * @param name    what a task writes, such as "checkpoint"; used in job descriptions and error messages
 * @param threads runs the tasks; evaluated when a task starts
 */
private[stream] class BackgroundTaskRunner(name: String, threads: => Executor) {
  import BackgroundTaskRunner._

  private val latest = new AtomicReference(Started(version = 0, CompletableFuture.allOf()))

  /**
   * Returns whether a task may start: the latest one has succeeded, or there was none. Once a task has
   * failed, no other starts; [[await]] and [[throwIfFailed]] report the failure.
   */
  def canStart: Boolean = {
    val done = latest.get.done
    done.isDone && !done.isCompletedExceptionally
  }

  /** Returns the version of the task that started last, or 0 if none has started. */
  def latestVersion: Long = latest.get.version

  /**
   * Starts a task and returns at once. Fails with an `IllegalArgumentException` if [[canStart]] is false.
   *
   * @param spark   the active session while the task runs
   * @param version the table version that the task works on
   * @param work    evaluated on another thread
   */
  def start(spark: SparkSession, version: Long)(work: => Unit): Unit = {
    require(canStart, s"one $name at a time")
    val task: Runnable = () => runOutsideJobGroup(spark, s"$name of version $version")(work)
    latest.set(Started(version, CompletableFuture.runAsync(task, threads)))
  }

  /** Waits for the latest task. Throws the task's exception if it failed. */
  def await(): Unit =
    try {
      val _ = latest.get.done.get()
    } catch { case e: ExecutionException => throw e.getCause }

  /** Throws the latest task's exception if it has failed. Does not wait for a task that is still running. */
  def throwIfFailed(): Unit = if (latest.get.done.isDone) await()
}

private[stream] object BackgroundTaskRunner {

  /** @param done completes when the task ends, exceptionally if it fails */
  private final case class Started(version: Long, done: CompletableFuture[Void])

  /**
   * Runs the work without the local properties of the query's thread. Its jobs then belong neither to the
   * query's job group, which is cancelled when the query stops, nor to its SQL execution.
   */
  private def runOutsideJobGroup(spark: SparkSession, description: String)(work: => Unit): Unit = {
    val context = spark.sparkContext
    context.setLocalProperties(new Properties)
    context.setJobDescription(description)
    spark.withActive(work)
  }
}
