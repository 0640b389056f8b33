// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import java.nio.charset.StandardCharsets.UTF_8

import org.scalatest.funsuite.AnyFunSuite

/** The documented members are there, open to everybody, with the documented types. */
class ContractShapeSuite extends AnyFunSuite {
  import BundleUnderTest.universe

  private val check = new LinkCheck(universe)
  private val resolution = new Resolution(universe.find)

  for ((id, rows) <- ContractMembers.members.groupBy(_.id).toSeq.sortBy(_._1))
    test(s"$id: the documented members are there") {
      val missed = check.findings("a user's class", rows.map(_.member))
      if (missed.nonEmpty) fail(missed.mkString("\n", "\n", ""))
    }

  for (ContractMembers.Kinship(id, below, above) <- ContractMembers.supertypes)
    test(s"$id: a $below is a ${above.mkString(" and a ")}") {
      val known = universe.find(Signature.internal(below)).toSeq.flatMap(resolution.supertypes).map(_.name)
      assert(above.map(Signature.internal).filterNot(known.contains).isEmpty)
    }

  test("D1: the alias delta is registered for DeltaDataSource, once") {
    val file = new String(
      BundleUnderTest.entry("META-INF/services/org.apache.spark.sql.sources.DataSourceRegister"),
      UTF_8
    )
    assert(file.linesIterator.toSeq.count(_ == "org.apache.spark.sql.delta.sources.DeltaDataSource") == 1)
  }
}
