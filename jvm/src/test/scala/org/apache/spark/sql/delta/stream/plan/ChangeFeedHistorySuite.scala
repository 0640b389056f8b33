// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ChangeFeedHistorySuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def met(answers: (Long, Boolean)*): ChangeFeedHistory =
    answers.foldLeft(ChangeFeedHistory.unknown) { case (history, (version, answer)) =>
      history.record(version, answer)
    }

  test("nothing is known before the first version that was read") {
    assert(met(3L -> true).at(2).isEmpty && met(3L -> true).at(3).contains(true))
  }

  test("only versions that change the answer are kept") {
    assert(met(1L -> true, 2L -> true, 3L -> false, 4L -> false, 5L -> true).enabledFrom ==
      Vector(1L -> true, 3L -> false, 5L -> true))
  }

  test("a version that is read again changes nothing") {
    val known = met(1L -> true, 3L -> false)
    assert(known.record(2, answer = true) == known && known.record(3, answer = false) == known)
  }

  test("where a run resumes counts up to what was read after it") {
    assert(met(3L -> false).withStart(1, answer = true).enabledFrom == Vector(1L -> true, 3L -> false))
  }

  test("M3: what is forgotten changes no answer from there on, and what is kept is in force there or later") {
    val versions = Gen.listOf(Gen.oneOf(true, false)).map(_.zipWithIndex.map { case (a, i) => i.toLong -> a })
    forAll(versions, Gen.chooseNum(0L, 20L)) { (answers, from) =>
      val whole = met(answers: _*)
      val kept = whole.from(from)
      for (version <- from to 120L) assert(kept.at(version) == whole.at(version))
      assert(kept.enabledFrom.count(_._1 <= from) <= 1)
    }
  }
}
