// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class LogPollerSuite extends AnyFunSuite {
  private class Head(listInterval: Long = 1000, known: Vector[Long] = Vector.empty) {
    val log = new InMemoryTableLog().append(0, 1).append(1, 1)
    log.known = known
    var now = 0L
    private val reader = new LogPoller(log, listInterval, () => now)
    private var tail = LogTailCache.of(log.cachedCommits(), now)

    def next(version: Int): Option[Int] = {
      tail = tail.invalidateListing
      nextInSameCall(version)
    }

    /** Within the same call. */
    def nextInSameCall(version: Int): Option[Int] = {
      val (after, read) = reader.next(tail, version.toLong)
      tail = after
      read.map(_.commit.version.toInt)
    }
    def cachedFiles: Int = tail.files.size
    def advanceTo(version: Long): Unit = tail = tail.from(version)
  }

  test("the first call lists the log, and that listing serves every commit it showed") {
    val head = new Head
    assert(head.next(0).contains(0) && head.next(1).contains(1))
    assert(head.log.listings == 1 && head.log.lookups == 0 && head.log.reads == Vector(0, 1))
  }

  test("commits known from an earlier listing are not listed again, until the interval has passed") {
    val head = new Head(known = Vector(1))
    // The listing is from before the first call.
    assert(head.nextInSameCall(1).contains(1) && head.nextInSameCall(2).isEmpty && head.next(2).isEmpty)
    assert(head.log.listings == 0 && head.log.lookups == 2)
    head.now = 1000
    assert(head.next(2).isEmpty && head.log.listings == 1)
  }

  test("a version before the known commits is listed") {
    val head = new Head(known = Vector(1))
    assert(head.next(0).contains(0) && head.log.listings == 1)
  }

  test("at the head of the log a call is one lookup by name and no listing") {
    val head = new Head
    head.next(0); head.next(1)
    (1 to 5).foreach(_ => assert(head.next(2).isEmpty))
    assert(head.log.listings == 1 && head.log.lookups == 5)
    head.log.append(2, 1)
    assert(head.next(2).contains(2) && head.log.listings == 1)
  }

  test("a listing answers the rest of the call it was made for") {
    val head = new Head
    head.next(0); head.nextInSameCall(1)
    head.log.append(2, 1)
    assert(head.nextInSameCall(2).isEmpty && head.log.lookups == 0 && head.log.listings == 1)
    assert(head.next(2).contains(2))
  }

  test("where a lookup costs as much as a listing, each call is one listing") {
    val head = new Head
    head.log.canLookUp = false
    head.next(0)
    head.log.append(2, 1)
    assert(head.next(2).contains(2) && head.nextInSameCall(3).isEmpty && head.next(3).isEmpty)
    assert(head.log.listings == 3 && head.log.lookups == 0)
  }

  test("a long listing is cached in part, and the log is listed again after that part") {
    val head = new Head
    (2 to LogTailCache.maxFiles + 50).foreach(version => head.log.append(version.toLong, 1))
    for (version <- 0 to LogTailCache.maxFiles + 50) {
      assert(head.next(version).contains(version))
      assert(head.cachedFiles <= LogTailCache.maxFiles + LogPoller.lookupsPerListing)
      head.advanceTo(version.toLong)
    }
    assert(head.log.listings == 2 && head.log.lookups == LogPoller.lookupsPerListing)
  }

  test("a commit is read once, until the stream is past it") {
    val head = new Head
    head.next(0); head.next(0); head.next(1); head.next(0)
    assert(head.log.reads == Vector(0, 1))
    head.advanceTo(1)
    head.next(1)
    assert(head.log.reads == Vector(0, 1))
  }

  test("a version before the cached ones is listed, not reported as a gap") {
    val head = new Head
    head.log.append(120, 1)
    head.next(120)
    head.advanceTo(150)
    val listings = head.log.listings
    assert(head.next(0).contains(0) && head.log.listings == listings + 1 && head.log.lookups == 0)
  }

  test("a failed lookup lists the log if the last listing is older than the interval, and finds a gap") {
    val head = new Head
    head.next(0); head.next(1)
    head.log.append(3, 1)
    assert(head.next(2).isEmpty && head.log.listings == 1)
    head.now = 1000
    assert(head.next(2).contains(3) && head.log.listings == 2)
  }

  test("with interval 0 every lookup that finds nothing lists the log") {
    val head = new Head(listInterval = 0)
    head.next(0); head.next(1); head.next(2); head.next(2)
    assert(head.log.listings == 3)
  }

  test("a gap in a listing is checked with a lookup by name") {
    val head = new Head
    head.next(0); head.next(1)
    head.log.append(3, 1)
    head.now = 1000
    head.log.hidden = Some(2)
    head.log.append(2, 1)
    assert(head.next(2).contains(2) && head.next(3).contains(3))
  }

  test("a gap in the listing just made is checked with a lookup by name") {
    val head = new Head
    head.log.hidden = Some(0)
    assert(head.next(0).contains(0) && head.log.listings == 1)
  }

  test("a gap in an earlier listing is checked with a lookup by name too") {
    val head = new Head
    head.log.append(2, 1).append(3, 1)
    head.log.hidden = Some(2)
    head.next(0); head.next(1)
    assert(head.log.listings == 1 && head.next(2).contains(2) && head.next(3).contains(3))
  }

  test("a listed commit that is deleted before it is opened is a gap") {
    val head = new Head
    head.log.append(2, 1).append(3, 1)
    head.next(0); head.next(1)
    head.log.remove(2)
    assert(head.next(2).contains(3))
  }

  test("the log is listed after a number of successful lookups in a row") {
    val head = new Head
    head.next(0); head.next(1)
    (2 to 20).foreach(version => head.log.append(version.toLong, 1))
    (2 to 20).foreach(version => assert(head.next(version).contains(version)))
    assert(head.log.lookups == LogPoller.lookupsPerListing && head.log.listings == 2)
  }
}
