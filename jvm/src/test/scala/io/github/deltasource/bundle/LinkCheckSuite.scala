// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import java.util.function.Predicate

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.tree.{ClassNode, MethodNode}
import org.apache.xbean.asm9.{ClassReader, ClassWriter, Opcodes}
import org.scalatest.funsuite.AnyFunSuite

/** Nothing is loaded or run: what the JVM would refuse is found by reading class files. */
class LinkCheckSuite extends AnyFunSuite {
  import BundleUnderTest.universe

  private val sources = "org/apache/spark/sql/delta/sources"
  private val v2Stream = "io/delta/spark/internal/v2/read/DeltaV2MicroBatchStream"
  private lazy val findings = new LinkCheck(universe).bundle

  test("every class and member that the bundle refers to is in it, in Spark or in the JDK") {
    none("these do not link", findings.filterNot(finding => AllowedMisses.all.exists(_.covers(finding))))
  }

  test("every allowed miss is still needed, and says why it is harmless") {
    none(
      "take these out of AllowedMisses",
      AllowedMisses.all.filterNot(allowed => findings.exists(allowed.covers))
    )
    assert(AllowedMisses.all.forall(_.reason.nonEmpty))
  }

  test("nothing mixes in the trait whose bodies need not link") {
    none(
      "these mix it in",
      universe.bundle.values.filter(_.interfaces.contains(AllowedMisses.orphanedTrait)).toSeq
    )
  }

  test("every member that published code outside the bundle links to is there") {
    none("these do not link", missedOutside(universe))
  }

  test("a static member taken away is missed by the class that calls it") {
    val without = edited("DeltaSource")(remove("buildOffsetFromIndexedFile"))
    assert(problems(without, v2Stream, "buildOffsetFromIndexedFile") == Set("no such member"))
  }

  test("a static member that became an instance member is missed") {
    val changed = edited("DeltaSource")(flags("buildOffsetFromIndexedFile")(_ & ~Opcodes.ACC_STATIC))
    assert(problems(changed, v2Stream, "buildOffsetFromIndexedFile") == Set("not static"))
  }

  test("a member that became private is missed") {
    val changed = edited("DeltaSource")(
      flags("buildOffsetFromIndexedFile")(_ & ~Opcodes.ACC_PUBLIC | Opcodes.ACC_PRIVATE)
    )
    assert(problems(changed, v2Stream, "buildOffsetFromIndexedFile") == Set("not accessible"))
  }

  test("a class taken away is missed, with all its members") {
    val without = universe.without(s"$sources/DeltaSource$$AdmissionLimits")
    assert(problems(without, v2Stream, "hasCapacity") == Set("no such class"))
  }

  test("a class that became an interface is missed") {
    val changed = edited("DeltaSourceOffset")(_.access |= Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT)
    assert(problems(changed, v2Stream, "reservoirVersion") == Set("an interface where a class is meant"))
  }

  test("a member that only callers outside the bundle use is missed when it is taken away") {
    val without = edited("DeltaSource")(remove("toDeltaSourceOffset"))
    assert(missedOutside(without).exists(_.to.toString.contains("DeltaSource.toDeltaSourceOffset")))
  }

  test("an interface's method that nothing implements any more is missed") {
    val without = edited("DeltaSource")(remove("latestOffset"))
    assert(missedOutside(without).map(_.problem).toSet == Set("nothing implements it"))
  }

  private def none(otherwise: String, found: Seq[Any]): Unit =
    if (found.nonEmpty) fail(found.mkString(s"$otherwise:\n", "\n", ""))

  private def missedOutside(of: Universe): Seq[Finding] =
    OutsideCallers.references.toSeq.flatMap { case (caller, to) => new LinkCheck(of).findings(caller, to) }

  /** What is wrong with one member for one class of the bundle. */
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
    if (!node.methods.removeIf(named)) fail(s"$method is not there to be removed")
  }

  private def flags(method: String)(change: Int => Int)(node: ClassNode): Unit =
    node.methods.asScala.filter(_.name == method).foreach(found => found.access = change(found.access))
}
