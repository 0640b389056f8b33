// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/** A reference that the JVM could not link, who holds it, and why. */
final case class Finding(from: String, to: Reference, problem: String) {
  override def toString: String = s"$from -> $to: $problem"
}

/**
 * Links references the way the JVM does (JVMS 5.4.3 and 5.4.4), without loading a class or running a line of one:
 * the class and the member must be there, be of the kind that the caller means, and be open to the caller.
 */
final class LinkCheck(universe: Universe) {
  private val resolution = new Resolution(universe.find)

  /** What does not link among the references of every class in the bundle. */
  def bundle: Seq[Finding] =
    universe.bundle.values.toSeq.sortBy(_.name).flatMap(file => findings(file.name, file.references))

  /** What does not link among the references that somebody of this name holds; it need not be a class of ours. */
  def findings(from: String, references: Iterable[Reference]): Seq[Finding] =
    references.toSeq.flatMap(to => problem(from, to).map(Finding(from, to, _))).sortBy(_.toString)

  private def problem(from: String, to: Reference): Option[String] = to match {
    case ClassReference(name) => openClass(from, name).left.toOption
    case member: MemberReference if member.owner.startsWith("[") =>
      None // an array's are Object's, and its clone
    case member: MemberReference =>
      (for {
        owner <- openClass(from, member.owner)
        _ <- must(!member.isMethod || owner.isInterface == member.onInterface, otherKind(owner))
        found <- resolution.member(owner, member.name, member.descriptor).toRight("no such member")
        _ <- must(found.member.isStatic == member.static, if (member.static) "not static" else "static")
        _ <- must(owner.isAbstract || !found.member.isAbstract, "nothing implements it")
        _ <- must(isOpen(from, found), "not accessible")
      } yield ()).left.toOption
  }

  private def openClass(from: String, name: String): Either[String, ClassFile] =
    for {
      file <- universe.find(name).toRight("no such class")
      _ <- must(file.isPublic || samePackage(from, name), "not accessible")
    } yield file

  private def isOpen(from: String, found: Declared): Boolean = {
    def sameNest = nestHost(from) == nestHost(found.in.name)
    def below = universe.find(from).exists(resolution.isSubclass(_, found.in))
    if (found.member.isPublic) true
    else if (found.member.isPrivate) sameNest
    else samePackage(from, found.in.name) || found.member.isProtected && below
  }

  private def must(holds: Boolean, otherwise: => String): Either[String, Unit] =
    Either.cond(holds, (), otherwise)

  private def otherKind(owner: ClassFile): String =
    if (owner.isInterface) "an interface where a class is meant" else "a class where an interface is meant"

  private def nestHost(name: String): String = universe.find(name).fold(name)(_.nestHost)

  private def samePackage(one: String, other: String): Boolean = packageOf(one) == packageOf(other)

  private def packageOf(name: String): String = name.take(name.lastIndexOf('/').max(0))
}
