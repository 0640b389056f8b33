// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.tree.ClassNode
import org.apache.xbean.asm9.{ClassReader, Opcodes}

/** A field or method as a class file declares it; a method's descriptor starts with a parenthesis. */
final case class Member(name: String, descriptor: String, access: Int) {
  def isStatic: Boolean = has(Opcodes.ACC_STATIC)
  def isPublic: Boolean = has(Opcodes.ACC_PUBLIC)
  def isProtected: Boolean = has(Opcodes.ACC_PROTECTED)
  def isPrivate: Boolean = has(Opcodes.ACC_PRIVATE)
  def isAbstract: Boolean = has(Opcodes.ACC_ABSTRACT)

  /** `MethodHandle.invoke` and its like, which the JVM finds by name alone (JVMS 2.9.3). */
  def isSignaturePolymorphic: Boolean =
    descriptor.startsWith("([Ljava/lang/Object;)") && has(Opcodes.ACC_VARARGS) && has(Opcodes.ACC_NATIVE)

  private def has(flag: Int): Boolean = (access & flag) != 0
}

/** What a class file declares and what it links to. Names are internal names, `java/lang/Object`. */
final case class ClassFile(
    name: String,
    access: Int,
    parent: Option[String],
    interfaces: Seq[String],
    nestHost: String,
    members: Map[(String, String), Member],
    references: Set[Reference]
) {
  def isInterface: Boolean = (access & Opcodes.ACC_INTERFACE) != 0
  def isPublic: Boolean = (access & Opcodes.ACC_PUBLIC) != 0
  def isAbstract: Boolean = (access & Opcodes.ACC_ABSTRACT) != 0
  def member(name: String, descriptor: String): Option[Member] = members.get((name, descriptor))
}

object ClassFile {

  def read(bytes: Array[Byte]): ClassFile = {
    val reader = new ClassReader(bytes)
    val node = parse(reader, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES)
    declared(reader, node).copy(references = References.of(reader, node))
  }

  /** Reads a class without its references. For classes that others link to and that are not checked themselves. */
  def readDeclared(bytes: Array[Byte]): ClassFile = {
    val reader = new ClassReader(bytes)
    declared(reader, parse(reader, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG))
  }

  private def parse(reader: ClassReader, flags: Int): ClassNode = {
    val node = new ClassNode
    reader.accept(node, flags)
    node
  }

  private def declared(reader: ClassReader, node: ClassNode): ClassFile = {
    val fields = node.fields.asScala.map(field => Member(field.name, field.desc, field.access))
    val methods = node.methods.asScala.map(method => Member(method.name, method.desc, method.access))
    ClassFile(
      node.name,
      reader.getAccess, // the node's own flags are those of the source, where a nested class may be protected
      Option(node.superName),
      node.interfaces.asScala.toSeq,
      Option(node.nestHostClass).getOrElse(node.name),
      (fields ++ methods).map(member => (member.name, member.descriptor) -> member).toMap,
      Set.empty
    )
  }
}
