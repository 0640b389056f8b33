// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.delta.stream.applychanges.Change._
import org.scalatest.funsuite.AnyFunSuite

/** Type 1 where a null does not replace a value. A row has two columns, which may be null. */
class TypeOneFilledSuite extends AnyFunSuite {
  import TypeOneFilledSuite._

  test("a null keeps the value before it, whichever event arrives first") {
    val expected = Some(upsert(10, "x", "b"))
    assert(Table().apply(upsert(5, "x", "a")).apply(upsert(10, null, "b")).row == expected)
    assert(Table().apply(upsert(10, null, "b")).apply(upsert(5, "x", "a")).row == expected)
  }

  test("a delete ends the values before it, however late it is") {
    assert(Table().apply(
      upsert(5, "x", "a"),
      upsert(10, null, "b")).apply(delete(7)).row.contains(upsert(10, null, "b")))
    assert(Table().apply(upsert(5, "x", "a")).apply(delete(7)).apply(upsert(
      10,
      null,
      "b")).row.contains(upsert(10, null, "b")))
  }

  test("an event without nulls needs no state") {
    assert(Table().apply(upsert(5, "x", "a")).apply(upsert(10, "y", "b")).state.isEmpty)
  }

  test("the target depends on the events alone: not on their order, their batches, repeats or crashes") {
    val random = new scala.util.Random(20261125)
    def value() = if (random.nextBoolean()) null else Seq("a", "b")(random.nextInt(2))
    for (run <- 1 to 3000) {
      val events = random.shuffle((1 to 8).toList).take(1 + random.nextInt(7)).map { sequence =>
        if (random.nextInt(4) == 0) delete(sequence) else upsert(sequence, value(), value())
      }
      val arriving = random.shuffle(events ++ events.filter(_ => random.nextInt(5) == 0))
      var table = Table()
      arriving.grouped(1 + random.nextInt(3)).foreach { batch =>
        if (random.nextInt(4) == 0) table = table.crashed(batch)
        table = table.apply(batch: _*)
      }
      assert(table.row == expected(events), s"in run $run, of $arriving")
    }
  }
}

private object TypeOneFilledSuite {

  final case class Values(one: Option[String], two: Option[String]) {
    def filledBy(older: Values): Values = Values(one.orElse(older.one), two.orElse(older.two))
  }

  def upsert(sequence: Int, one: String, two: String): Event[Int, Values] =
    Event(sequence, Upsert(Values(Option(one), Option(two))))
  def delete(sequence: Int): Event[Int, Values] = Event(sequence, Delete)

  /** The definition: the newest value of each column since the last delete. */
  def expected(events: Seq[Event[Int, Values]]): Option[Event[Int, Values]] = {
    val sinceDelete = events.sortBy(-_.sequence).takeWhile(_.change != Delete)
    val values = sinceDelete.collect { case Event(_, Upsert(values)) => values }.reduceOption(_ filledBy _)
    values.map(values => Event(sinceDelete.head.sequence, Upsert(values)))
  }

  /** What is stored for a key. */
  final case class Table(row: Option[Event[Int, Values]] = None, state: Seq[Event[Int, Values]] = Nil) {

    def apply(events: Event[Int, Values]*): Table = {
      val outcome = fold(events)
      Table(outcome.inserted.orElse(row.filter(_ => outcome.removed.isEmpty)), state ++ outcome.state)
    }

    /** The process died between its two commits. */
    def crashed(events: Seq[Event[Int, Values]]): Table = copy(state = state ++ fold(events).state)

    private def fold(events: Seq[Event[Int, Values]]): TypeOneFilled.Outcome[Int, Values, Int] =
      TypeOneFilled
        .fold(row.map(row => 0 -> Option(row)).toSeq, state, events, EventSet.Sequenced) { (values, older) =>
          Some(values.filledBy(older)).filter(_ != values)
        }
        .fold(tie => throw new AssertionError(tie.toString), identity)
  }
}
