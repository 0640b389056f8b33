// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position, StreamErrors}
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, Budget}
import org.scalatest.funsuite.AnyFunSuite

class DeltaStreamStartSuite extends AnyFunSuite with DeltaStreamFixture {
  test("without any data there is no offset, and without new data the same offset") {
    val log = history(Vector(1))
    val running = stream(log, start = Some(1))
    assert(running.latestOffset(None, one).isEmpty)
    assert(running.latestOffset(Some(at(1)), one).contains(at(1)))
  }

  test("the start is resolved once") {
    var resolved = 0
    val log = history(Vector(1))
    val running = new DeltaStream(
      log,
      new AppendPlanner(_ => true),
      schema,
      settings("startingVersion" -> "latest")(),
      0,
      () => { resolved += 1; Some(StartVersion(log.cachedLatestVersion() + 1)) },
      InitialOffsetStore.none,
      None,
      new StreamErrors("/t")
    )
    assert(running.latestOffset(None, one).isEmpty)
    log.append(1, 1)
    val end = running.latestOffset(None, one)
    assert(resolved == 1 && end.contains(at(2)) && running.files(at(1), end.get).map(_.path) == Seq("1-0"))
  }

  /** Outlives its streams, like a file in their checkpoint. */
  private final class InMemoryStore extends InitialOffsetStore {
    var start = Option.empty[InitialOffset]
    var committed = false
    override def load(): Option[InitialOffset] = start
    override def save(start: InitialOffset): Unit = this.start = Some(start)
    override def delete(): Unit = start = None
    override def hasCommittedBatch: Boolean = committed
  }

  private val newest = settings("startingVersion" -> "latest")()

  test("a stream from latest that read nothing keeps its start after a restart") {
    val log = history(Vector(1))
    val store = new InMemoryStore
    assert(stream(log, newest, Some(log.cachedLatestVersion() + 1), store).latestOffset(None, one).isEmpty)
    log.append(1, 1)
    val restarted = stream(log, newest, Some(log.cachedLatestVersion() + 1), store)
    val end = restarted.latestOffset(None, one).get
    assert(end == at(2) && restarted.files(restarted.batchStart(None, end), end).map(_.path) == Seq("1-0"))
  }

  test("a first batch from latest is replayed with the rows it was planned with") {
    val log = history(Vector(1))
    val store = new InMemoryStore
    val before = stream(log, newest, Some(1), store)
    before.latestOffset(None, one)
    log.append(1, 1)
    val end = before.latestOffset(None, one).get
    log.append(2, 1)
    val restarted = stream(log, newest, Some(log.cachedLatestVersion() + 1), store)
    assert(restarted.files(restarted.batchStart(None, end), end).map(_.path) == Seq("1-0"))
  }

  test("M7: the start of a stream from latest is deleted once its first batch is committed") {
    val log = history(Vector(1))
    val store = new InMemoryStore
    val running = stream(log, newest, Some(1), store)
    log.append(1, 1)
    val first = running.latestOffset(None, one).get
    running.files(at(1), first)
    log.append(2, 1)
    running.latestOffset(Some(first), one)
    running.commit(first)
    assert(store.start.isEmpty)
    // If the offsets are deleted, the stream starts over.
    assert(stream(log, newest, Some(3), store).latestOffset(None, one).isEmpty)
  }

  test("M7: a run of one batch, which the engine never commits, deletes its start when it stops") {
    val log = history(Vector(1))
    val store = new InMemoryStore
    val running = stream(log, newest, Some(1), store)
    log.append(1, 1)
    running.latestOffset(None, one)
    running.stop()
    assert(store.start.nonEmpty)
    store.committed = true
    running.stop()
    assert(store.start.isEmpty)
  }

  test("a first batch from a snapshot is replayed from that snapshot, and not from a newer one") {
    val log = history(Vector(1))
    val store = new InMemoryStore
    val before = stream(log, settings()(), None, store)
    log.append(1, 1)
    val end = before.latestOffset(None, Budget.unlimited).get
    val restarted = stream(log, settings()(), None, store)
    assert(restarted.batchStart(None, end) == Position(0, IndexInVersion.Begin, inSnapshot = true))
  }

  test("a first batch planned by delta-spark is replayed as delta-spark does") {
    val log = history(Vector(1), Vector(1))
    val store = new InMemoryStore
    stream(log, newest, Some(2), store).latestOffset(None, one)
    val restarted = stream(log, settings("startingVersion" -> "1")(), Some(1), store)
    assert(restarted.batchStart(None, at(2)) == at(1))
  }

  test("a start option that is changed before anything was read takes effect") {
    val log = history(Vector(1), Vector(1))
    val store = new InMemoryStore
    assert(stream(log, newest, Some(2), store).latestOffset(None, one).isEmpty)
    assert(stream(log, settings("startingVersion" -> "0")(), Some(0), store).latestOffset(
      None,
      one).contains(at(1)))
    assert(store.start.exists(_.position == at(0)))
  }
}
