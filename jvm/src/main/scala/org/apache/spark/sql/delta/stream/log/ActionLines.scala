// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.Arrays
import java.util.function.IntFunction

import scala.annotation.tailrec
import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.delta.actions.Action

/** The lines of a commit as actions, in order. Where there are many, they are read on all processors. */
private[log] object ActionLines {
  private type Line = Try[(Long, String)]

  /** So many lines are read at once, or so many characters of them: that much of a commit stands in memory as text. */
  val together = 1024
  val textTogether: Int = 4 << 20

  /** Fewer are not worth the handing over. */
  private val few = 64

  /**
   * What fails is the last: a line that is no action, or the file under it.
   *
   * @param lines with the place where each begins
   */
  def of(lines: Iterator[(Long, String)]): Iterator[Try[(Long, Action)]] = {
    val drawn = untilFailure(lines)
    Iterator.continually(group(drawn, Vector.empty, 0)).takeWhile(_.nonEmpty).flatMap(read)
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

  private def read(lines: Vector[Line]): Iterator[Try[(Long, Action)]] =
    if (lines.size < few) lines.iterator.map(read)
    else {
      val actions = new Array[Try[(Long, Action)]](lines.size)
      val one: IntFunction[Try[(Long, Action)]] = index => read(lines(index))
      Arrays.parallelSetAll(actions, one)
      actions.iterator
    }

  private def read(line: Line): Try[(Long, Action)] =
    line.flatMap { case (at, text) => Try(at -> ActionLine.read(text)) }
}
