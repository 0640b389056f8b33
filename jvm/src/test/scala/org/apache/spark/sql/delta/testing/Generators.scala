// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position}
import org.scalacheck.Gen

object Generators {
  val place: Gen[IndexInVersion] = Gen.oneOf(
    Gen.const(IndexInVersion.Begin),
    Gen.const(IndexInVersion.SchemaChange),
    Gen.const(IndexInVersion.AfterSchemaChange),
    Gen.chooseNum(0L, 1000000L).map(IndexInVersion.File(_)),
    Gen.const(IndexInVersion.End)
  )

  val position: Gen[Position] = for {
    version <- Gen.chooseNum(0L, 20L)
    place <- place
    inSnapshot <- Gen.oneOf(true, false)
  } yield Position(version, place, inSnapshot)

  /** The file sizes of each commit; many commits have no files. */
  val history: Gen[Vector[Vector[Long]]] = {
    val commit = Gen.chooseNum(0, 4).flatMap(Gen.containerOfN[Vector, Long](_, Gen.chooseNum(0L, 10L)))
    Gen.chooseNum(1, 8).flatMap(Gen.containerOfN[Vector, Vector[Long]](_, commit))
  }

  val limits: Gen[(Int, Long)] = for {
    files <- Gen.chooseNum(1, 5)
    bytes <- Gen.chooseNum(1L, 25L)
  } yield (files, bytes)
}
