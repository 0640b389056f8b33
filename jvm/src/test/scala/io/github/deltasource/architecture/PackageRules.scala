// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.architecture

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.domain.JavaClasses
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices

/**
 * The rules about packages, for any tree of packages.
 *
 * @param root    the package that contains the others
 * @param allowed for each package below the root, the packages it may use
 */
final case class PackageRules(root: String, allowed: Map[String, Set[String]]) {

  /** Returns the violations, one line each. */
  def violations(classes: JavaClasses): Seq[String] =
    cycles(classes) ++ unknown(classes) ++ forbidden(classes)

  private def cycles(classes: JavaClasses): Seq[String] =
    lines(slices().matching(s"$root.(**)").should().beFreeOfCycles().allowEmptyShould(true).evaluate(classes))

  /** Packages that the table does not list. */
  private def unknown(classes: JavaClasses): Seq[String] = {
    val found =
      classes.asScala.map(_.getPackageName).filter(_.startsWith(s"$root.")).map(_.drop(root.length + 1))
    (found.toSet -- allowed.keySet).toSeq.sorted.map(name => s"CONTRIBUTING.md lists no package $name")
  }

  private def forbidden(classes: JavaClasses): Seq[String] = for {
    (name, uses) <- allowed.toSeq.sortBy(_._1)
    other <- (allowed.keySet - name -- uses).toSeq.sorted
    rule = noClasses().that().resideInAPackage(s"$root.$name").should().dependOnClassesThat()
      .resideInAPackage(s"$root.$other").allowEmptyShould(true)
    line <- lines(rule.evaluate(classes))
  } yield line

  private def lines(result: com.tngtech.archunit.lang.EvaluationResult): Seq[String] =
    result.getFailureReport.getDetails.asScala.toSeq
}
