// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.Arrays
import java.util.function.IntFunction

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.delta.actions.Action

/** The lines of a commit as actions, in order. Where there are many, they are read on all processors. */
private[log] object ActionLines {

  /** So many lines are read at once. */
  val together = 1024

  /**
   * What fails is the last: a line that is no action, or the file under it.
   *
   * @param lines with the place where each begins
   */
  def of(lines: Iterator[(Long, String)]): Iterator[Try[(Long, Action)]] =
    drawn(lines).grouped(together).flatMap(read)

  private def drawn(lines: Iterator[(Long, String)]): Iterator[Try[(Long, String)]] =
    Iterator.unfold(true) { going =>
      if (!going) None
      else
        Try(lines.nextOption()) match {
          case Success(line) => line.map(found => (Success(found), true))
          case Failure(e) => Some((Failure(e), false))
        }
    }

  private def read(lines: Seq[Try[(Long, String)]]): Iterator[Try[(Long, Action)]] =
    if (lines.size < together) lines.iterator.map(read)
    else {
      val actions = new Array[Try[(Long, Action)]](lines.size)
      val one: IntFunction[Try[(Long, Action)]] = index => read(lines(index))
      Arrays.parallelSetAll(actions, one)
      actions.iterator
    }

  private def read(line: Try[(Long, String)]): Try[(Long, Action)] =
    line.flatMap { case (at, text) => Try(at -> ActionLine.read(text)) }
}
