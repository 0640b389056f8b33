// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/** Something that a class file, or a caller outside the bundle, links to. Names are internal names. */
sealed trait Reference

final case class ClassReference(name: String) extends Reference {
  override def toString: String = name
}

/** `static` and `onInterface` are what the instruction expects; the JVM refuses a member of the other kind. */
final case class MemberReference(
    owner: String,
    name: String,
    descriptor: String,
    static: Boolean,
    onInterface: Boolean = false
) extends Reference {
  def isMethod: Boolean = descriptor.startsWith("(")
  override def toString: String =
    s"${if (static) "static " else ""}$owner.$name${if (isMethod) "" else ": "}$descriptor"
}
