// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.architecture

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.domain.JavaClasses
import com.tngtech.archunit.core.importer.ClassFileImporter
import org.apache.spark.sql.delta.sources.DeltaSource
import org.scalatest.funsuite.AnyFunSuite

/** Packages use each other as the table in CONTRIBUTING.md allows, and files are short. */
class ArchitectureSuite extends AnyFunSuite {
  private val delta = "org.apache.spark.sql.delta"

  private def classesOf(example: Class[_]): JavaClasses =
    new ClassFileImporter().importUrl(example.getProtectionDomain.getCodeSource.getLocation)

  private lazy val ours: JavaClasses = classesOf(classOf[DeltaSource])
  private lazy val fixtures: JavaClasses = classesOf(getClass)

  /** Rows like: | `log` | what it holds | `log.parse`, `model` | */
  private def table: Map[String, Set[String]] = {
    val row = """\| `([a-z.]+)` \|[^|]*\|([^|]*)\|""".r
    val page = Files.readString(Path.of("CONTRIBUTING.md"), UTF_8)
    val section =
      page.linesIterator.dropWhile(_ != "### Packages of the jar").takeWhile(_ != "## How a test is named")
    section.collect { case row(name, uses) =>
      name -> "`([a-z.]+)`".r.findAllMatchIn(uses).map(_.group(1)).toSet
    }.toMap
  }

  test("packages have no cycles, and use only what CONTRIBUTING.md allows") {
    assert(table.size > 10)
    assert(PackageRules(s"$delta.stream", table).violations(ours) == Nil)
  }

  test("no package under stream uses the classes with Delta's own names") {
    val documented = Set(s"$delta.sources", s"$delta.files")
    val names = ours.asScala.filter(found => documented.contains(found.getPackageName)).map(_.getName).toSet
    val found = for {
      inside <- ours.asScala if inside.getPackageName.startsWith(s"$delta.stream")
      use <- inside.getDirectDependenciesFromSelf.asScala if names.contains(use.getTargetClass.getName)
    } yield use.getDescription
    assert(names.nonEmpty && found.isEmpty)
  }

  test("a cycle between packages is reported") {
    val root = "io.github.deltasource.architecture.cyclic"
    val all = Set("first", "second")
    val found = PackageRules(root, Map("first" -> all, "second" -> all)).violations(fixtures)
    assert(found.exists(_.contains("Cycle detected")))
  }

  test("a dependency that the table does not allow is reported, and so is a package that it does not list") {
    val root = "io.github.deltasource.architecture.upward"
    val upward = PackageRules(root, Map("model" -> Set.empty, "plan" -> Set("model")))
    assert(upward.violations(fixtures).exists(_.contains("upward.model.Uses")))
    assert(upward.copy(allowed = Map("model" -> Set.empty)).violations(fixtures)
      .contains("CONTRIBUTING.md lists no package plan"))
    assert(upward.copy(allowed =
      Map("model" -> Set("plan"), "plan" -> Set.empty)).violations(fixtures) == Nil)
  }

  test("no file is longer than 250 lines, except DeltaSource.scala") {
    val documented = Set("DeltaSource.scala")
    val long = for {
      root <- Seq("jvm/src", "jvm/lines", "bench/jvm/src", "project").map(Path.of(_))
      file <- Files.walk(root).iterator.asScala if file.toString.endsWith(".scala")
      if !documented.contains(file.getFileName.toString)
      lines = Files.readAllLines(file, UTF_8).size if lines > 250
    } yield s"$file: $lines"
    assert(long == Nil)
  }
}
