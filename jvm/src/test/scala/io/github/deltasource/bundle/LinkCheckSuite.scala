// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import java.util.function.Predicate

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.tree.{ClassNode, MethodNode}
import org.apache.xbean.asm9.{ClassReader, ClassWriter, Opcodes}
import org.scalatest.funsuite.AnyFunSuite

/** Finds what the JVM would fail to link by reading class files. Nothing is loaded or run. */
class LinkCheckSuite extends AnyFunSuite {
  import BundleUnderTest.universe

  private val sources = "org/apache/spark/sql/delta/sources"
  private val v2Stream = "io/delta/spark/internal/v2/read/DeltaV2MicroBatchStream"
  private lazy val findings = new LinkCheck(universe).bundle

  test("every class and member that the bundle refers to is in it, in Spark or in the JDK") {
    assertNone(
      "these do not link",
      findings.filterNot(finding => AllowedMisses.all.exists(_.covers(finding)))
    )
  }

  test("every allowed miss is still needed, and says why it is harmless") {
    assertNone(
      "remove these from AllowedMisses",
      AllowedMisses.all.filterNot(allowed => findings.exists(allowed.covers))
    )
    assert(AllowedMisses.all.forall(_.reason.nonEmpty))
  }

  test("no class mixes in the trait whose methods need not link") {
    assertNone(
      "these mix it in",
      universe.bundle.values.filter(_.interfaces.contains(AllowedMisses.unusedTrait)).toSeq
    )
  }

  test("every member that published code outside the bundle links to exists") {
    assertNone("these do not link", outsideFindings(universe))
  }

  test("a removed static member is reported for the class that calls it") {
    val without = edited("DeltaSource")(remove("buildOffsetFromIndexedFile"))
    assert(problems(without, v2Stream, "buildOffsetFromIndexedFile") == Set("no such member"))
  }

  test("a static member that became an instance member is reported") {
    val changed = edited("DeltaSource")(flags("buildOffsetFromIndexedFile")(_ & ~Opcodes.ACC_STATIC))
    assert(problems(changed, v2Stream, "buildOffsetFromIndexedFile") == Set("not static"))
  }

  test("a member that became private is reported") {
    val changed = edited("DeltaSource")(
      flags("buildOffsetFromIndexedFile")(_ & ~Opcodes.ACC_PUBLIC | Opcodes.ACC_PRIVATE)
    )
    assert(problems(changed, v2Stream, "buildOffsetFromIndexedFile") == Set("not accessible"))
  }

  test("a removed class is reported with all its members") {
    val without = universe.without(s"$sources/DeltaSource$$AdmissionLimits")
    assert(problems(without, v2Stream, "hasCapacity") == Set("no such class"))
  }

  test("a class that became an interface is reported") {
    val changed = edited("DeltaSourceOffset")(_.access |= Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT)
    assert(problems(changed, v2Stream, "reservoirVersion") == Set("an interface where a class is expected"))
  }

  test("a removed member that only callers outside the bundle use is reported") {
    val without = edited("DeltaSource")(remove("toDeltaSourceOffset"))
    assert(outsideFindings(without).exists(_.to.toString.contains("DeltaSource.toDeltaSourceOffset")))
  }

  test("an interface method that nothing implements any more is reported") {
    val without = edited("DeltaSource")(remove("latestOffset"))
    assert(outsideFindings(without).map(_.problem).toSet == Set("nothing implements it"))
  }

  test("a class that this version of Spark lacks is reported by name") {
    val limits = "org/apache/spark/sql/connector/read/streaming/ReadMaxFiles"
    assert(newFindings(universe.without(limits)).map(ownerAndProblem) == Set(limits -> "no such class"))
  }

  test("a member that this version of Spark lacks is reported by name") {
    val spark = universe.find("org/apache/spark/sql/connector/read/streaming/ReadMaxFiles").get
    val without = universe.updated(spark.copy(members = spark.members.filter(_._2.name != "maxFiles")))
    val found = newFindings(without)
    assert(found.map(_.to.toString).forall(_.contains("ReadMaxFiles.maxFiles")))
    assert(found.map(ownerAndProblem) == Set(spark.name -> "no such member"))
  }

  private def assertNone(message: String, found: Seq[Any]): Unit =
    if (found.nonEmpty) fail(found.mkString(s"$message:\n", "\n", ""))

  private def outsideFindings(of: Universe): Seq[Finding] =
    OutsideCallers.references.toSeq.flatMap { case (caller, to) => new LinkCheck(of).findings(caller, to) }

  /** What no longer links after a change. */
  private def newFindings(changed: Universe): Set[Finding] =
    new LinkCheck(changed).bundle.toSet -- findings

  private def ownerAndProblem(finding: Finding): (String, String) = finding.to match {
    case ClassReference(name) => name -> finding.problem
    case member: MemberReference => member.owner -> finding.problem
  }

  /** The problems of one class of the bundle with one member. */
  private def problems(changed: Universe, from: String, member: String): Set[String] =
    new LinkCheck(changed).bundle.collect {
      case Finding(`from`, MemberReference(_, `member`, _, _, _), problem) => problem
    }.toSet

  private def edited(name: String)(edit: ClassNode => Unit): Universe = {
    val node = new ClassNode
    new ClassReader(BundleUnderTest.entry(s"$sources/$name.class")).accept(node, 0)
    edit(node)
    val writer = new ClassWriter(0)
    node.accept(writer)
    universe.updated(ClassFile.read(writer.toByteArray))
  }

  private def remove(method: String)(node: ClassNode): Unit = {
    val named: Predicate[MethodNode] = _.name == method
    if (!node.methods.removeIf(named)) fail(s"there is no method $method to remove")
  }

  private def flags(method: String)(change: Int => Int)(node: ClassNode): Unit =
    node.methods.asScala.filter(_.name == method).foreach(found => found.access = change(found.access))
}
