// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import java.net.URI

import org.apache.spark.sql.delta.actions.RemoveFile
import org.apache.spark.sql.delta.stream.model.CanonicalPath
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class FilePairsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val canonical = CanonicalPath(new URI("file:/t"), new URI("file:///"))
  private def add(path: String) = InMemoryTableLog.file(path)
  private def remove(path: String) = RemoveFile(path, None)

  test("a file that is removed and added is one file with two deletion vectors") {
    val pairs = FilePairs.of(1, Seq(add("a"), remove("a"), add("b"), remove("c")), canonical)
    assert(pairs.paired == Seq(FilePair(1, remove("a"), add("a"))))
    assert(pairs.adds == Seq(add("b")) && pairs.removes == Seq(remove("c")))
  }

  test("M20: a file is paired even if its two actions spell the path differently") {
    val pairs =
      FilePairs.of(1, Seq(add("/a%20b"), remove("file:/a%20b"), add("x"), remove("file:///t/x")), canonical)
    assert(pairs.paired.map(_.add.path) == Seq("/a%20b", "x") && pairs.adds.isEmpty && pairs.removes.isEmpty)
  }

  test("M20: however paths are spelled, each file is in the adds, the removes or one pair") {
    val spellings =
      Gen.oneOf("a", "/t/a", "file:/t/a", "file:///t/a", "b%20c", "/t/b%20c", "/x", "file:/x", "file:///x")
    forAll(Gen.listOf(spellings), Gen.listOf(spellings)) { (adds, removes) =>
      val (added, removed) = (adds.distinctBy(canonical), removes.distinctBy(canonical))
      val pairs = FilePairs.of(1, removed.map(remove) ++ added.map(add), canonical)
      val both = added.map(canonical).toSet.intersect(removed.map(canonical).toSet)
      assert(pairs.paired.map(pair => canonical(pair.add.path)).toSet == both)
      assert(pairs.paired.forall(pair => canonical(pair.add.path) == canonical(pair.remove.path)))
      assert(pairs.adds.map(_.path) == added.filterNot(path => both(canonical(path))))
      assert(pairs.removes.map(_.path) == removed.filterNot(path => both(canonical(path))))
    }
  }
}
