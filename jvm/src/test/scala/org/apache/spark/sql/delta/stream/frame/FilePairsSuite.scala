// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import java.net.URI

import org.apache.spark.sql.delta.actions.RemoveFile
import org.apache.spark.sql.delta.stream.CanonicalPath
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class FilePairsSuite extends AnyFunSuite {
  private val canonical = CanonicalPath(new URI("file:/t"), new URI("file:///"))
  private def add(path: String) = InMemoryTableLog.file(path)
  private def remove(path: String) = RemoveFile(path, None)

  test("a file that is removed and added is one file with two deletion vectors") {
    val pairs = FilePairs.of(Seq(add("a"), remove("a"), add("b"), remove("c")), canonical)
    assert(pairs.both == Seq(FilePair(remove("a"), add("a"))))
    assert(pairs.adds == Seq(add("b")) && pairs.removes == Seq(remove("c")))
  }

  test("M20: also where the two spell its path differently") {
    val pairs =
      FilePairs.of(Seq(add("/a%20b"), remove("file:/a%20b"), add("x"), remove("file:///t/x")), canonical)
    assert(pairs.both.map(_.add.path) == Seq("/a%20b", "x") && pairs.adds.isEmpty && pairs.removes.isEmpty)
  }
}
