// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.sources.{DeltaSource, IndexedFile}
import org.apache.spark.sql.delta.testing.{Generators, InMemoryTableLog}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class BudgetSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val options = new DeltaOptions(Map.empty[String, String], new SQLConf)
  private val sizes = Gen.containerOf[Vector, Long](Gen.chooseNum(0L, 30L))

  private def file(size: Long) = IndexedFile(1, 0, InMemoryTableLog.file("f", size))

  private def admitted(budget: Budget, sizes: Vector[Long]): Vector[Boolean] =
    sizes.scanLeft((Option(budget), true)) { case ((left, _), size) =>
      val next = left.flatMap(_.admit(size))
      (next, next.nonEmpty)
    }.tail.map(_._2)

  test("the first file is admitted whatever its size") {
    forAll(Generators.limits) { case (files, bytes) =>
      assert(Budget(files.toLong, bytes).admit(Long.MaxValue).nonEmpty)
    }
  }

  test("files never exceed their limit, and bytes exceed theirs by at most the last file") {
    forAll(Generators.limits, sizes) { case ((files, bytes), sizes) =>
      val taken = sizes.zip(admitted(Budget(files.toLong, bytes), sizes)).takeWhile(_._2).map(_._1)
      assert(taken.size <= files)
      assert(taken.dropRight(1).sum < bytes || taken.size <= 1)
    }
  }

  test("negative sizes and sizes whose sum overflows do not increase a budget") {
    assert(Budget(2, 10).admit(-5).contains(Budget(1, 10)))
    assert(Budget(3, 10).admit(Long.MaxValue).flatMap(_.admit(Long.MaxValue)).isEmpty)
  }

  test("AdmissionLimits admits the same files as a budget") {
    forAll(Generators.limits, sizes) { case ((files, bytes), sizes) =>
      val limits = DeltaSource.AdmissionLimits(options, Some(files), Some(bytes))
      val theirs = sizes.map(size => limits.admit(file(size)))
      val ours = admitted(Budget(files.toLong, bytes), sizes)
      assert(theirs.takeWhile(identity) == ours.takeWhile(identity))
    }
  }

  test("AdmissionLimits always admits sentinels at no cost, and the first group whatever its size") {
    val sentinel = IndexedFile(1, -100, null)
    val limits = DeltaSource.AdmissionLimits(options, Some(1), Some(10L))
    assert(limits.admit(Seq(file(20), file(20))) && limits.admit(sentinel))
    assert(!limits.hasCapacity && !limits.admit(file(1)) && limits.admit(sentinel))
  }

  test("AdmissionLimits admits a later group only as a whole, and spends its size either way") {
    val limits = DeltaSource.AdmissionLimits(options, Some(5), Some(100L))
    assert(limits.admit(Seq(file(40))) && limits.admit(Seq(file(40))))
    assert(!limits.admit(Seq(file(40))) && !limits.admit(Seq(file(10))))
  }

  test("AdmissionLimits does not count an empty group") {
    val limits = DeltaSource.AdmissionLimits(options, Some(1), None)
    assert(limits.admit(Nil) && !limits.commitProcessedInBatch && limits.admit(Seq(file(1), file(1))))
  }
}
