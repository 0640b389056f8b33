// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.{Callable, ForkJoinPool, ForkJoinTask}

import scala.annotation.tailrec
import scala.collection.immutable.Queue
import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.delta.actions.Action

/**
 * The lines of a commit as actions, in order. Where there are many, groups of them are read on all processors while the
 * next lines are drawn; the thread that draws reads a group itself when the others have enough to do.
 */
private[log] object ActionLines {
  private type Line = Try[(Long, String)]
  private type Read = Vector[Try[(Long, Action)]]

  /** So many lines are a group, or so many characters of them. */
  private val together = 1024
  private val textTogether: Int = 1 << 20

  /** Fewer lines are not worth handing over. */
  private val few = 64

  /** So many groups stand in memory. */
  private val ahead = 8

  /**
   * What fails is the last: a line that is no action, or the file under it.
   *
   * @param lines with the place where each begins
   */
  def of(lines: Iterator[(Long, String)]): Iterator[Try[(Long, Action)]] = {
    val drawn = untilFailure(lines)
    val groups = Iterator.continually(group(drawn, Vector.empty, 0)).takeWhile(_.nonEmpty)
    Iterator.unfold(Queue.empty[ForkJoinTask[Read]])(begin(groups, _).dequeueOption).flatMap(_.join())
  }

  private def untilFailure(lines: Iterator[(Long, String)]): Iterator[Line] =
    Iterator.unfold(true) { going =>
      if (!going) None
      else
        Try(lines.nextOption()) match {
          case Success(line) => line.map(found => (Success(found), true))
          case Failure(e) => Some((Failure(e), false))
        }
    }

  @tailrec
  private def group(lines: Iterator[Line], taken: Vector[Line], text: Int): Vector[Line] =
    if (taken.size >= together || text >= textTogether || !lines.hasNext) taken
    else {
      val line = lines.next()
      group(lines, taken :+ line, text + line.fold(_ => 0, _._2.length))
    }

  @tailrec
  private def begin(
      groups: Iterator[Vector[Line]],
      begun: Queue[ForkJoinTask[Read]]): Queue[ForkJoinTask[Read]] =
    if (begun.size >= ahead || !groups.hasNext) begun
    else {
      val lines = groups.next()
      val reading: Callable[Read] = () => lines.map(read)
      val task = ForkJoinTask.adapt(reading)
      val busy = begun.count(!_.isDone) >= ForkJoinPool.getCommonPoolParallelism
      if (busy || lines.size < few) task.invoke() else task.fork()
      begin(groups, begun :+ task)
    }

  private def read(line: Line): Try[(Long, Action)] =
    line.flatMap { case (at, text) => Try(at -> ActionLine.read(text)) }
}
