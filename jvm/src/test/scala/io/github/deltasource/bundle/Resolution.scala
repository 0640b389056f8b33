// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import scala.collection.mutable

/** A member and the class that declares it, which may be a supertype of the one it was looked up in. */
final case class Declared(in: ClassFile, member: Member)

/** Finds a field or a method as the JVM does (JVMS 5.4.3), in class files that are never loaded. */
final class Resolution(find: String => Option[ClassFile]) {
  private val interfacesOf = mutable.Map.empty[String, Seq[ClassFile]]

  def member(owner: ClassFile, name: String, descriptor: String): Option[Declared] =
    if (descriptor.startsWith("(")) method(owner, name, descriptor) else field(owner, name, descriptor)

  private def field(owner: ClassFile, name: String, descriptor: String): Option[Declared] =
    declared(owner, name, descriptor)
      .orElse(owner.interfaces.flatMap(find).iterator.flatMap(field(_, name, descriptor)).nextOption())
      .orElse(owner.parent.flatMap(find).flatMap(field(_, name, descriptor)))

  private def method(owner: ClassFile, name: String, descriptor: String): Option[Declared] = {
    val classes = if (owner.isInterface) Seq(owner) else superclasses(owner)
    val inClasses =
      classes.iterator.flatMap(in => declared(in, name, descriptor).orElse(polymorphic(in, name)))
    val inObject = find("java/lang/Object").filter(_ => owner.isInterface).iterator
      .flatMap(declared(_, name, descriptor))
      .filter(found => found.member.isPublic && !found.member.isStatic)
    lazy val inInterfaces = classes
      .flatMap(interfaces)
      .flatMap(declared(_, name, descriptor))
      .filterNot(found => found.member.isPrivate || found.member.isStatic)
    def body = inInterfaces.find(!_.member.isAbstract).orElse(inInterfaces.headOption)
    (inClasses ++ inObject).nextOption().orElse(body)
  }

  def isSubclass(file: ClassFile, of: ClassFile): Boolean = superclasses(file).exists(_.name == of.name)

  /** The class itself, its superclasses, and every interface above them. */
  def supertypes(file: ClassFile): Seq[ClassFile] =
    superclasses(file).flatMap(above => above +: interfaces(above)).distinctBy(_.name)

  private def superclasses(file: ClassFile): Seq[ClassFile] =
    file +: file.parent.flatMap(find).toSeq.flatMap(superclasses)

  /** Every interface above a class or an interface, each once. */
  private def interfaces(file: ClassFile): Seq[ClassFile] =
    interfacesOf.getOrElseUpdate(
      file.name,
      file.interfaces.flatMap(find).flatMap(direct => direct +: interfaces(direct)).distinctBy(_.name)
    )

  private def declared(in: ClassFile, name: String, descriptor: String): Option[Declared] =
    in.member(name, descriptor).map(Declared(in, _))

  private def polymorphic(in: ClassFile, name: String): Option[Declared] =
    if (in.name != "java/lang/invoke/MethodHandle" && in.name != "java/lang/invoke/VarHandle") None
    else in.members.values.find(m => m.name == name && m.isSignaturePolymorphic).map(Declared(in, _))
}
