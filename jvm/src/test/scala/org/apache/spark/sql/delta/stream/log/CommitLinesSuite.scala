// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.{FileNotFoundException, IOException, UncheckedIOException}

import org.apache.spark.SparkThrowable

import org.apache.spark.sql.delta.storage.ClosableIterator
import org.scalatest.funsuite.AnyFunSuite

class CommitLinesSuite extends AnyFunSuite {

  /** A file whose first openings end after one line of two, with an error. */
  private final class File(failures: Int, error: => Throwable) {
    var opened = 0
    var closed = 0

    def open(): ClosableIterator[String] = {
      opened += 1
      val fails = opened <= failures
      val lines = Iterator("a", "b")
      new ClosableIterator[String] {
        override def hasNext: Boolean = lines.hasNext
        override def next(): String = {
          val line = lines.next()
          if (fails && line == "b") throw error
          line
        }
        override def close(): Unit = closed += 1
      }
    }
  }

  private val reset = new IOException("connection reset")

  private def read(file: File): Seq[String] = CommitLines.read("7.json")(file.open())(_.toVector)

  for (error <- Seq(reset, new UncheckedIOException(reset)))
    test(s"reading is tried again after ${error.getClass.getSimpleName}, from the first line") {
      val file = new File(failures = 2, error)
      assert(read(file) == Seq("a", "b"))
      assert(file.opened == 3 && file.closed == 3)
    }

  test("a file that cannot be read three times is named") {
    val file = new File(failures = 3, reset)
    val error = intercept[Exception with SparkThrowable](read(file))
    assert(error.getCondition == "DELTASOURCE_LOG_READ_FAILED")
    assert(error.getMessage.contains("7.json could not be read: java.io.IOException: connection reset"))
    assert(file.opened == 3)
  }

  test("a file that does not exist is not looked for again") {
    val file = new File(failures = 3, new FileNotFoundException("7.json"))
    intercept[FileNotFoundException](read(file))
    assert(file.opened == 1)
  }

  test("a line that cannot be parsed is not read again") {
    val file = new File(failures = 0, reset)
    intercept[NumberFormatException](CommitLines.read("7.json")(file.open())(_.map(_.toInt).toVector))
    assert(file.opened == 1)
  }
}
