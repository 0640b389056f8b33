// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position, StreamErrors}
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, Budget}
import org.scalatest.funsuite.AnyFunSuite

class DeltaStreamStartSuite extends AnyFunSuite with DeltaStreamFixture {
  test("nothing there yet is no offset, and nothing new is the same offset") {
    val log = history(Vector(1))
    val running = stream(log, start = Some(1))
    assert(running.latest(None, one).isEmpty)
    assert(running.latest(Some(at(1)), one).contains(at(1)))
  }

  test("the start is resolved once") {
    var asked = 0
    val log = history(Vector(1))
    val running = new DeltaStream(
      log,
      new AppendPlanner(_ => true),
      schema,
      settings("startingVersion" -> "latest")(),
      0,
      () => { asked += 1; Some(StartVersion(log.cachedLatest() + 1)) },
      InitialOffsetStore.none,
      None,
      new StreamErrors("/t")
    )
    assert(running.latest(None, one).isEmpty)
    log.append(1, 1)
    val end = running.latest(None, one)
    assert(asked == 1 && end.contains(at(2)) && running.files(at(1), end.get).map(_.path) == Seq("1-0"))
  }

  /** Beside a checkpoint that outlives its streams. */
  private final class Remembering extends InitialOffsetStore {
    var start = Option.empty[InitialOffset]
    var committed = false
    override def recall(): Option[InitialOffset] = start
    override def remember(start: InitialOffset): Unit = this.start = Some(start)
    override def done(): Unit = start = None
    override def hasBatchDone: Boolean = committed
  }

  private val newest = settings("startingVersion" -> "latest")()

  test("a stream from latest that saw nothing waits, after a restart, where it once began") {
    val log = history(Vector(1))
    val memory = new Remembering
    assert(stream(log, newest, Some(log.cachedLatest() + 1), memory).latest(None, one).isEmpty)
    log.append(1, 1)
    val restarted = stream(log, newest, Some(log.cachedLatest() + 1), memory)
    val end = restarted.latest(None, one).get
    assert(end == at(2) && restarted.files(restarted.begin(None, end), end).map(_.path) == Seq("1-0"))
  }

  test("a first batch from latest is replayed with the rows it was planned with") {
    val log = history(Vector(1))
    val memory = new Remembering
    val before = stream(log, newest, Some(1), memory)
    before.latest(None, one)
    log.append(1, 1)
    val end = before.latest(None, one).get
    log.append(2, 1)
    val restarted = stream(log, newest, Some(log.cachedLatest() + 1), memory)
    assert(restarted.files(restarted.begin(None, end), end).map(_.path) == Seq("1-0"))
  }

  test("M7: where a stream from latest began is forgotten once its first batch is committed") {
    val log = history(Vector(1))
    val memory = new Remembering
    val running = stream(log, newest, Some(1), memory)
    log.append(1, 1)
    val first = running.latest(None, one).get
    running.files(at(1), first)
    log.append(2, 1)
    running.latest(Some(first), one)
    running.commit(first)
    assert(memory.start.isEmpty)
    // Whoever deletes the offsets starts over.
    assert(stream(log, newest, Some(3), memory).latest(None, one).isEmpty)
  }

  test("M7: a run of one batch, which the engine never commits, forgets where it began as it stops") {
    val log = history(Vector(1))
    val memory = new Remembering
    val running = stream(log, newest, Some(1), memory)
    log.append(1, 1)
    running.latest(None, one)
    running.stop()
    assert(memory.start.nonEmpty)
    memory.committed = true
    running.stop()
    assert(memory.start.isEmpty)
  }

  test("a first batch from a snapshot is replayed from that snapshot, and not from a newer one") {
    val log = history(Vector(1))
    val memory = new Remembering
    val before = stream(log, settings()(), None, memory)
    log.append(1, 1)
    val end = before.latest(None, Budget.unlimited).get
    val restarted = stream(log, settings()(), None, memory)
    assert(restarted.begin(None, end) == Position(0, IndexInVersion.Begin, inSnapshot = true))
  }

  test("a first batch that another has planned is replayed as delta-spark does") {
    val log = history(Vector(1), Vector(1))
    val memory = new Remembering
    stream(log, newest, Some(2), memory).latest(None, one)
    val restarted = stream(log, settings("startingVersion" -> "1")(), Some(1), memory)
    assert(restarted.begin(None, at(2)) == at(1))
  }

  test("another start that is asked for before anything was read is the start") {
    val log = history(Vector(1), Vector(1))
    val memory = new Remembering
    assert(stream(log, newest, Some(2), memory).latest(None, one).isEmpty)
    assert(stream(log, settings("startingVersion" -> "0")(), Some(0), memory).latest(
      None,
      one).contains(at(1)))
    assert(memory.start.exists(_.position == at(0)))
  }
}
