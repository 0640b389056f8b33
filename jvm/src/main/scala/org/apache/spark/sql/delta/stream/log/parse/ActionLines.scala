// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import java.util.concurrent.{Callable, ForkJoinPool, ForkJoinTask}

import scala.annotation.tailrec
import scala.collection.immutable.Queue
import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.delta.actions.Action

/**
 * Parses the lines of a commit into actions, in order. If there are many, groups of lines are parsed on all
 * processors while the next lines are read; the reading thread parses a group itself when the others are
 * busy.
 */
private[parse] object ActionLines {
  private type Line = Try[(Long, String)]
  private type ParsedGroup = Vector[Try[(Long, Action)]]

  /** A group ends after this many lines, or characters. */
  private val maxGroupLines = 1024
  private val maxGroupChars: Int = 1 << 20

  /** A group of fewer lines is not worth handing to another thread. */
  private val minForkedLines = 64

  /** At most this many groups are in memory. */
  private val maxGroups = 8

  /** For each processor one group that it parses, and one that waits, so that it is never idle. */
  private val maxWaiting: Int = 2 * ForkJoinPool.getCommonPoolParallelism

  /**
   * Returns each action with its byte offset, lazily. Failures are values: for each line that is not an
   * action, and, as the last value, for an error of reading the lines.
   *
   * @param lines each with the byte offset where it begins
   */
  def of(lines: Iterator[(Long, String)]): Iterator[Try[(Long, Action)]] = {
    val readLines = untilFailure(lines)
    val groups = Iterator.continually(nextGroup(readLines, Vector.empty, 0)).takeWhile(_.nonEmpty)
    val tasks = Iterator.unfold(Queue.empty[ForkJoinTask[ParsedGroup]])(startTasks(groups, _).dequeueOption)
    tasks.flatMap(_.join())
  }

  /** Returns the lines, and as the last value the error if reading them fails. */
  private def untilFailure(lines: Iterator[(Long, String)]): Iterator[Line] =
    Iterator.unfold(true) { hasMore =>
      if (!hasMore) None
      else
        Try(lines.nextOption()) match {
          case Success(line) => line.map(found => (Success(found), true))
          case Failure(e) => Some((Failure(e), false))
        }
    }

  @tailrec
  private def nextGroup(lines: Iterator[Line], group: Vector[Line], chars: Int): Vector[Line] =
    if (group.size >= maxGroupLines || chars >= maxGroupChars || !lines.hasNext) group
    else {
      val line = lines.next()
      nextGroup(lines, group :+ line, chars + line.fold(_ => 0, _._2.length))
    }

  @tailrec
  private def startTasks(
      groups: Iterator[Vector[Line]],
      started: Queue[ForkJoinTask[ParsedGroup]]): Queue[ForkJoinTask[ParsedGroup]] =
    if (started.size >= maxGroups || !groups.hasNext) started
    else {
      val lines = groups.next()
      val parsing: Callable[ParsedGroup] = () => lines.map(parse)
      val task = ForkJoinTask.adapt(parsing)
      val busy = started.count(!_.isDone) >= maxWaiting
      if (busy || lines.size < minForkedLines) task.invoke() else task.fork()
      startTasks(groups, started :+ task)
    }

  private def parse(line: Line): Try[(Long, Action)] =
    line.flatMap { case (offset, text) => Try(offset -> ActionLine.read(text)) }
}
