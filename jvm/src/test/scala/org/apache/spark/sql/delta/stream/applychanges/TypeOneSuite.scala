// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.delta.stream.applychanges.Change._
import org.scalatest.funsuite.AnyFunSuite

/** Type 1 of one key, as values. Positions are numbers, sequences are numbers, values are text. */
class TypeOneSuite extends AnyFunSuite {
  import TypeOneSuite._

  test("a key without a row gets the row of its last event") {
    assert(fold()(upsert(2, "b"), upsert(1, "a")) == Right(outcome(inserted = Some(upsert(2, "b")))))
  }

  test("a later event replaces the row") {
    val expected = outcome(removed = Seq(0), inserted = Some(upsert(2, "b")))
    assert(fold(rows = Seq(row(1)))(upsert(2, "b")) == Right(expected))
  }

  test("a late event is ignored") {
    assert(fold(rows = Seq(row(5)))(upsert(4, "late"), delete(3)) == Right(outcome(ignored = 2)))
  }

  test("a delete removes the row and is remembered") {
    assert(fold(rows = Seq(row(1)))(delete(2)) == Right(outcome(removed = Seq(0), tombstone = Some(2))))
  }

  test("a delete of a key without a row is remembered") {
    assert(fold()(delete(2)) == Right(outcome(tombstone = Some(2))))
  }

  test("an event before a remembered delete is ignored") {
    assert(fold(tombstones = Seq(1, 5))(upsert(4, "late")) == Right(outcome(ignored = 1)))
  }

  test("an event after a remembered delete inserts a row") {
    assert(fold(tombstones = Seq(1))(upsert(4, "b")) == Right(outcome(inserted = Some(upsert(4, "b")))))
  }

  test("a delete that is remembered already is not remembered twice") {
    assert(fold(tombstones = Seq(5))(delete(5)) == Right(outcome(ignored = 1)))
    assert(fold(rows = Seq(row(1)), tombstones = Seq(5))(delete(5)) == Right(outcome(removed = Seq(0))))
  }

  test("a row that its state has deleted is removed, whatever the batch brings") {
    val died = fold(rows = Seq(row(1)), tombstones = Seq(5))(upsert(4, "late"))
    assert(died == Right(outcome(removed = Seq(0), ignored = 1)))
  }

  test("a row that was not written by us loses to any event") {
    val byHand = fold(rows = Seq(StoredRow(None, 0)))(upsert(-7, "a"))
    assert(byHand == Right(outcome(removed = Seq(0), inserted = Some(upsert(-7, "a")))))
  }

  test("all rows of a key are replaced by one") {
    val expected = outcome(removed = Seq(0, 1), inserted = Some(upsert(3, "b")))
    assert(fold(rows = Seq(row(1), row(2, at = 1)))(upsert(3, "b")) == Right(expected))
  }

  test("an event with the sequence of the row has to be compared with it") {
    assert(fold(rows =
      Seq(row(5)))(upsert(5, "a")) == Right(outcome(duplicates = Seq(0 -> "a"), ignored = 1)))
  }

  test("identical duplicates count once") {
    assert(fold()(upsert(1, "a"), upsert(1, "a")) == Right(outcome(inserted = Some(upsert(1, "a")))))
  }

  test("ties are errors: in a batch, with a row, and with a remembered delete") {
    assert(fold()(upsert(1, "a"), upsert(1, "b")) == Left(Tie(1, Some("a"), Some("b"))))
    assert(fold()(upsert(1, "a"), delete(1)) == Left(Tie(1, Some("a"), None)))
    assert(fold()(upsert(1, "a"), upsert(1, "b"), upsert(2, "c")).isLeft)
    assert(fold(rows = Seq(row(1)))(delete(1)) == Left(Tie(1, None, None)))
    assert(fold(tombstones = Seq(1))(upsert(1, "a")) == Left(Tie(1, Some("a"), None)))
  }

  test("in a change feed, an insert in the version of a delete wins, in one batch or in two") {
    val inserted = outcome(inserted = Some(upsert(7, "b")))
    assert(feed()(upsert(7, "b"), delete(7)) == Right(inserted))
    assert(feed(tombstones = Seq(7))(upsert(7, "b")) == Right(inserted))
    assert(feed(rows = Seq(row(7)))(delete(7)) == Right(outcome(ignored = 1)))
  }

  test("in a change feed, a pre-image without a post-image of its key deletes the key") {
    val moved = feed(rows = Seq(row(1)))(preImage(7, "a"))
    assert(moved == Right(outcome(removed = Seq(0), tombstone = Some(7))))
  }

  test("in a change feed, an update that changes nothing is dropped") {
    assert(feed(rows = Seq(row(1)))(preImage(7, "a"), upsert(7, "a")) == Right(outcome()))
  }

  test("in a change feed, a pre-image is dropped if there is a post-image") {
    val updated = feed(rows = Seq(row(1)))(preImage(7, "a"), upsert(7, "b"))
    assert(updated == Right(outcome(removed = Seq(0), inserted = Some(upsert(7, "b")))))
  }
}

private object TypeOneSuite {
  type Result = Either[Tie[Int, String], TypeOne.Outcome[Int, String, Int]]

  def fold(rows: Seq[StoredRow[Int, Int]] = Nil, tombstones: Seq[Int] = Nil)(
      events: Event[Int, String]*): Result = TypeOne.fold(rows, tombstones, events, EventSet.Sequenced)

  def feed(rows: Seq[StoredRow[Int, Int]] = Nil, tombstones: Seq[Int] = Nil)(
      events: Event[Int, String]*): Result = TypeOne.fold(rows, tombstones, events, EventSet.ChangeFeed)

  def row(sequence: Int, at: Int = 0): StoredRow[Int, Int] = StoredRow(Some(sequence), at)
  def upsert(sequence: Int, values: String): Event[Int, String] = Event(sequence, Upsert(values))
  def preImage(sequence: Int, values: String): Event[Int, String] = Event(sequence, PreImage(values))
  def delete(sequence: Int): Event[Int, String] = Event(sequence, Delete)

  def outcome(
      removed: Seq[Int] = Nil,
      inserted: Option[Event[Int, String]] = None,
      tombstone: Option[Int] = None,
      duplicates: Seq[(Int, String)] = Nil,
      ignored: Int = 0): TypeOne.Outcome[Int, String, Int] =
    TypeOne.Outcome(removed, inserted, tombstone, duplicates, ignored)
}
