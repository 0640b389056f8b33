// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.delta.stream.applychanges.Change._
import org.apache.spark.sql.delta.stream.applychanges.TypeTwo.Interval
import org.scalatest.funsuite.AnyFunSuite

/** Type 2 of one key, as values: a row has a tracked column and one that is not tracked. */
class TypeTwoSuite extends AnyFunSuite {
  import TypeTwoSuite._

  test("each change of a tracked column begins a row") {
    assert(Table().apply(alice(5), bob(10)).rows == Seq(
      Interval(5, Some(10), Alice),
      Interval(10, None, Bob)))
  }

  test("an event that changes nothing extends the row, and is remembered") {
    val table = Table().apply(alice(5), alice(10))
    assert(table.rows == Seq(Interval(5, None, Alice)))
    assert(table.state == Seq(alice(10)))
  }

  test("a late event cuts a row") {
    val table = Table().apply(alice(5), alice(10), alice(15)).apply(bob(12))
    val expected =
      Seq(Interval(5, Some(12), Alice), Interval(12, Some(15), Bob), Interval(15, None, Alice))
    assert(table.rows == expected)
  }

  test("a delete closes the row, and one without a row is remembered") {
    val closed = Table().apply(alice(5)).apply(delete(8))
    assert(closed.rows == Seq(Interval(5, Some(8), Alice)))
    assert(closed.state.isEmpty)
    assert(closed.apply(delete(12)).apply(bob(10)).rows == Seq(
      Interval(5, Some(8), Alice),
      Interval(10, Some(12), Bob)))
  }

  test("a late event between a delete and the next row does not reach beyond that row") {
    val table = Table().apply(alice(5), delete(8), alice(20)).apply(bob(10))
    assert(table.rows.map(row => row.start -> row.end) == Seq(5 -> Some(8), 10 -> Some(20), 20 -> None))
  }

  test("a row has the last values of columns that are not tracked, and a cut restores the earlier ones") {
    val (first, second) = (Values("Alice", 1), Values("Alice", 2))
    val table = Table().apply(Event(5, Upsert(first))).apply(Event(15, Upsert(second)))
    assert(table.rows == Seq(Interval(5, None, second)))
    assert(table.apply(bob(12)).rows.map(_.values) == Seq(first, Bob, second))
  }

  test("a duplicate changes nothing") {
    val table = Table().apply(alice(5), bob(10))
    assert(table.fold(Seq(alice(5), bob(10))) == Right(TypeTwo.Outcome(Nil, Nil, Nil)))
  }

  test("ties are errors, in a batch and with what is known") {
    assert(Table().fold(Seq(alice(5), bob(5))).isLeft)
    assert(Table().apply(alice(5)).fold(Seq(bob(5))).isLeft)
    assert(Table().apply(alice(5), delete(8)).fold(Seq(bob(8))).isLeft)
  }

  test("the target depends on the events alone: not on their order, their batches, repeats or crashes") {
    val random = new scala.util.Random(20261125)
    for (run <- 1 to 3000) {
      val events = for {
        sequence <- random.shuffle((1 to 8).toList).take(1 + random.nextInt(7))
      } yield
        if (random.nextInt(4) == 0) delete(sequence)
        else Event(sequence, Upsert(Values(Seq("a", "b")(random.nextInt(2)), random.nextInt(2))))
      val expected = Table().apply(events: _*).rows
      var table = Table()
      val arriving = random.shuffle(events ++ events.filter(_ => random.nextInt(5) == 0))
      arriving.grouped(1 + random.nextInt(3)).foreach { batch =>
        if (random.nextInt(4) == 0) table = table.crashed(batch)
        table = table.apply(batch: _*)
      }
      assert(table.rows == expected, s"in run $run, of $arriving")
      assert(table.rows.forall(row => row.end.forall(_ > row.start)))
      assert(table.rows.zip(table.rows.drop(1)).forall { case (row, next) =>
        row.end.exists(_ <= next.start)
      })
      assert(
        table.rows.filter(_.end.isEmpty).map(_.values) == typeOne(arriving),
        s"in run $run, of $arriving")
    }
  }
}

private object TypeTwoSuite {

  final case class Values(tracked: String, other: Int)
  val Alice: Values = Values("Alice", 0)
  val Bob: Values = Values("Bob", 0)

  def alice(sequence: Int): Event[Int, Values] = Event(sequence, Upsert(Alice))
  def bob(sequence: Int): Event[Int, Values] = Event(sequence, Upsert(Bob))
  def delete(sequence: Int): Event[Int, Values] = Event(sequence, Delete)

  /** What is stored for a key. */
  final case class Table(rows: Seq[Interval[Int, Values]] = Nil, state: Seq[Event[Int, Values]] = Nil) {

    def fold(events: Seq[Event[Int, Values]])
        : Either[Tie[Int, Values], TypeTwo.Outcome[Int, Values, Int]] =
      TypeTwo.fold(rows.zipWithIndex.map(_.swap), state, events, EventSet.Sequenced)(
        _.tracked,
        (_, newer) => newer)

    def apply(events: Event[Int, Values]*): Table = {
      val outcome = get(events)
      val kept = rows.zipWithIndex.filterNot { case (_, i) => outcome.removed.exists(_._1 == i) }.map(_._1)
      Table((kept ++ outcome.inserted).sortBy(_.start), state ++ outcome.state)
    }

    /** The process died between its two commits. */
    def crashed(events: Seq[Event[Int, Values]]): Table = copy(state = state ++ get(events).state)

    private def get(events: Seq[Event[Int, Values]]): TypeTwo.Outcome[Int, Values, Int] =
      fold(events).fold(tie => throw new AssertionError(tie.toString), identity)
  }

  /** The rows that type 1 has after the same events, one at a time. */
  def typeOne(events: Seq[Event[Int, Values]]): Seq[Values] = {
    val (row, _) = events.foldLeft((Option.empty[Event[Int, Values]], Seq.empty[Int])) {
      case ((row, tombstones), event) =>
        val stored = row.toSeq.map(row => StoredRow(Some(row.sequence), ()))
        val outcome = TypeOne
          .fold(stored, tombstones, Seq(event), EventSet.Sequenced)
          .fold(tie => throw new AssertionError(tie.toString), identity)
        (
          if (outcome.removed.nonEmpty) outcome.inserted else row.orElse(outcome.inserted),
          tombstones ++ outcome.tombstone)
    }
    row.collect { case Event(_, Upsert(values)) => values }.toSeq
  }
}
