// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class LogReaderSuite extends AnyFunSuite {
  private class Head(listInterval: Long = 1000) {
    val log = new InMemoryTableLog().append(0, 1).append(1, 1)
    var now = 0L
    private val reader = new LogReader(log, listInterval, () => now)
    private var tail = LogTailCache.empty

    def next(version: Int): Option[Int] = {
      tail = tail.startCall
      goOn(version)
    }

    /** Within the same question. */
    def goOn(version: Int): Option[Int] = {
      val (after, read) = reader.next(tail, version.toLong)
      tail = after
      read.map(_.commit.version.toInt)
    }
    def held: Int = tail.files.size
    def forget(version: Long): Unit = tail = tail.from(version)
  }

  test("the first question lists, and one listing serves all it showed") {
    val head = new Head
    assert(head.next(0).contains(0) && head.next(1).contains(1))
    assert(head.log.listings == 1 && head.log.lookups == 0 && head.log.reads == Vector(0, 1))
  }

  test("at the head a question is one look by name and no listing") {
    val head = new Head
    head.next(0); head.next(1)
    (1 to 5).foreach(_ => assert(head.next(2).isEmpty))
    assert(head.log.listings == 1 && head.log.lookups == 5)
    head.log.append(2, 1)
    assert(head.next(2).contains(2) && head.log.listings == 1)
  }

  test("what a listing showed answers the rest of the same question") {
    val head = new Head
    head.next(0); head.goOn(1)
    head.log.append(2, 1)
    assert(head.goOn(2).isEmpty && head.log.lookups == 0 && head.log.listings == 1)
    assert(head.next(2).contains(2))
  }

  test("where a look costs as much as a listing, each question is one listing") {
    val head = new Head
    head.log.canLookUp = false
    head.next(0)
    head.log.append(2, 1)
    assert(head.next(2).contains(2) && head.goOn(3).isEmpty && head.next(3).isEmpty)
    assert(head.log.listings == 3 && head.log.lookups == 0)
  }

  test("of a long listing the first commits are held, and where they end the log is listed again") {
    val head = new Head
    (2 to LogTailCache.maxFiles + 50).foreach(version => head.log.append(version.toLong, 1))
    for (version <- 0 to LogTailCache.maxFiles + 50) {
      assert(head.next(version).contains(version))
      assert(head.held <= LogTailCache.maxFiles + LogReader.lookupsPerListing)
      head.forget(version.toLong)
    }
    assert(head.log.listings == 2 && head.log.lookups == LogReader.lookupsPerListing)
  }

  test("a commit that was read is not read again until it is passed") {
    val head = new Head
    head.next(0); head.next(0); head.next(1); head.next(0)
    assert(head.log.reads == Vector(0, 1))
    head.forget(1)
    head.next(1)
    assert(head.log.reads == Vector(0, 1))
  }

  test("a version before what is known is looked up afresh, not taken for a gap") {
    val head = new Head
    head.next(0); head.next(1)
    head.forget(1)
    assert(head.next(0).contains(0))
  }

  test("a missed look lists once the last listing is older than the interval, and shows a gap") {
    val head = new Head
    head.next(0); head.next(1)
    head.log.append(3, 1)
    assert(head.next(2).isEmpty && head.log.listings == 1)
    head.now = 1000
    assert(head.next(2).contains(3) && head.log.listings == 2)
  }

  test("interval 0 lists at every look that finds nothing") {
    val head = new Head(listInterval = 0)
    head.next(0); head.next(1); head.next(2); head.next(2)
    assert(head.log.listings == 3)
  }

  test("a gap in a listing is looked up by name before it is believed") {
    val head = new Head
    head.next(0); head.next(1)
    head.log.append(3, 1)
    head.now = 1000
    head.log.hidden = Some(2)
    head.log.append(2, 1)
    assert(head.next(2).contains(2) && head.next(3).contains(3))
  }

  test("a gap in the very listing that is read is looked up by name") {
    val head = new Head
    head.log.hidden = Some(0)
    assert(head.next(0).contains(0) && head.log.listings == 1)
  }

  test("a gap that an earlier listing showed is looked up by name as well") {
    val head = new Head
    head.log.append(2, 1).append(3, 1)
    head.log.hidden = Some(2)
    head.next(0); head.next(1)
    assert(head.log.listings == 1 && head.next(2).contains(2) && head.next(3).contains(3))
  }

  test("a listed commit that is gone when it is opened is a gap") {
    val head = new Head
    head.log.append(2, 1).append(3, 1)
    head.next(0); head.next(1)
    head.log.remove(2)
    assert(head.next(2).contains(3))
  }

  test("a run of hits by name ends in a listing") {
    val head = new Head
    head.next(0); head.next(1)
    (2 to 20).foreach(version => head.log.append(version.toLong, 1))
    (2 to 20).foreach(version => assert(head.next(version).contains(version)))
    assert(head.log.lookups == LogReader.lookupsPerListing && head.log.listings == 2)
  }
}
