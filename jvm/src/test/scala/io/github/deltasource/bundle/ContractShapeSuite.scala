// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import java.nio.charset.StandardCharsets.UTF_8

import org.scalatest.funsuite.AnyFunSuite

/** The documented members exist, are accessible to everybody, and have the documented types. */
class ContractShapeSuite extends AnyFunSuite {
  import BundleUnderTest.universe

  private val check = new LinkCheck(universe)
  private val resolution = new Resolution(universe.find)

  for ((id, rows) <- ContractMembers.members.groupBy(_.id).toSeq.sortBy(_._1))
    test(s"$id: the documented members exist") {
      val missed = check.findings("a user's class", rows.map(_.member))
      if (missed.nonEmpty) fail(missed.mkString("\n", "\n", ""))
    }

  for (ContractMembers.Subtype(id, name, supertypes) <- ContractMembers.subtypes)
    test(s"$id: a $name is a ${supertypes.mkString(" and a ")}") {
      val known = universe.find(Signature.internal(name)).toSeq.flatMap(resolution.supertypes).map(_.name)
      assert(supertypes.map(Signature.internal).filterNot(known.contains).isEmpty)
    }

  test("D1: the alias delta is registered for DeltaDataSource, once") {
    val file = new String(
      BundleUnderTest.entry("META-INF/services/org.apache.spark.sql.sources.DataSourceRegister"),
      UTF_8
    )
    assert(file.linesIterator.toSeq.count(_ == "org.apache.spark.sql.delta.sources.DeltaDataSource") == 1)
  }
}
