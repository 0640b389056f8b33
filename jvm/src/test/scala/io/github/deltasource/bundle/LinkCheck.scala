// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/** A reference that the JVM could not link, the class that has it, and why. */
final case class Finding(from: String, to: Reference, problem: String) {
  override def toString: String = s"$from -> $to: $problem"
}

/**
 * Links references as the JVM does (JVMS 5.4.3 and 5.4.4), without loading or running a class: the class and the
 * member must exist, be of the kind that the caller expects, and be accessible to the caller.
 */
final class LinkCheck(universe: Universe) {
  private val resolution = new Resolution(universe.find)

  /** Returns the references in the bundle that do not link. */
  def bundle: Seq[Finding] =
    universe.bundle.values.toSeq.sortBy(_.name).flatMap(file => findings(file.name, file.references))

  /** Returns those of a class's references that do not link. The class may be outside the bundle. */
  def findings(from: String, references: Iterable[Reference]): Seq[Finding] =
    references.toSeq.flatMap(to => problem(from, to).map(Finding(from, to, _))).sortBy(_.toString)

  private def problem(from: String, to: Reference): Option[String] = to match {
    case ClassReference(name) => accessibleClass(from, name).left.toOption
    case member: MemberReference if member.owner.startsWith("[") =>
      None // the members of Object, and clone
    case member: MemberReference =>
      (for {
        owner <- accessibleClass(from, member.owner)
        _ <- check(!member.isMethod || owner.isInterface == member.onInterface, otherKind(owner))
        found <- resolution.member(owner, member.name, member.descriptor).toRight("no such member")
        _ <- check(found.member.isStatic == member.static, if (member.static) "not static" else "static")
        _ <- check(owner.isAbstract || !found.member.isAbstract, "nothing implements it")
        _ <- check(isAccessible(from, found), "not accessible")
      } yield ()).left.toOption
  }

  private def accessibleClass(from: String, name: String): Either[String, ClassFile] =
    for {
      file <- universe.find(name).toRight("no such class")
      _ <- check(file.isPublic || samePackage(from, name), "not accessible")
    } yield file

  private def isAccessible(from: String, found: Declared): Boolean = {
    def sameNest = nestHost(from) == nestHost(found.in.name)
    def below = universe.find(from).exists(resolution.isSubclass(_, found.in))
    if (found.member.isPublic) true
    else if (found.member.isPrivate) sameNest
    else samePackage(from, found.in.name) || found.member.isProtected && below
  }

  private def check(condition: Boolean, problem: => String): Either[String, Unit] =
    Either.cond(condition, (), problem)

  private def otherKind(owner: ClassFile): String =
    if (owner.isInterface) "an interface where a class is expected"
    else "a class where an interface is expected"

  private def nestHost(name: String): String = universe.find(name).fold(name)(_.nestHost)

  private def samePackage(one: String, other: String): Boolean = packageOf(one) == packageOf(other)

  private def packageOf(name: String): String = name.take(name.lastIndexOf('/').max(0))
}
