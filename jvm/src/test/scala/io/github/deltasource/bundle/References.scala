// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.tree.{
  ClassNode,
  FieldInsnNode,
  InvokeDynamicInsnNode,
  LdcInsnNode,
  MethodInsnNode
}
import org.apache.xbean.asm9.{ClassReader, ConstantDynamic, Handle, Opcodes, Type}

/**
 * What a class file links to. Classes come from the constant pool and the declared members. Members come from the
 * instructions: the constant pool does not say whether a member is meant as static.
 */
object References {

  def of(reader: ClassReader, node: ClassNode): Set[Reference] =
    (constantPool(reader) ++ declarations(node) ++ instructions(node)).toSet

  private def constantPool(reader: ClassReader): Iterator[Reference] = {
    val buffer = new Array[Char](reader.getMaxStringLength)
    (1 until reader.getItemCount).iterator.map(reader.getItem).filter(_ > 0).flatMap { at =>
      reader.readByte(at - 1) match {
        case 7 => classes(Type.getObjectType(reader.readUTF8(at, buffer)))
        case 12 => classes(Type.getType(reader.readUTF8(at + 2, buffer)))
        case 16 => classes(Type.getType(reader.readUTF8(at, buffer)))
        case _ => Seq.empty
      }
    }
  }

  private def declarations(node: ClassNode): Iterator[Reference] =
    (node.fields.asScala.iterator.map(_.desc) ++ node.methods.asScala.iterator.map(_.desc))
      .flatMap(descriptor => classes(Type.getType(descriptor)))

  private def instructions(node: ClassNode): Iterator[Reference] =
    node.methods.asScala.iterator.flatMap(_.instructions.iterator.asScala).flatMap {
      case field: FieldInsnNode =>
        val static = field.getOpcode == Opcodes.GETSTATIC || field.getOpcode == Opcodes.PUTSTATIC
        Seq(MemberReference(field.owner, field.name, field.desc, static))
      case method: MethodInsnNode =>
        val static = method.getOpcode == Opcodes.INVOKESTATIC
        Seq(MemberReference(method.owner, method.name, method.desc, static, method.itf))
      case lambda: InvokeDynamicInsnNode => (lambda.bsm +: lambda.bsmArgs.toSeq).flatMap(constant)
      case load: LdcInsnNode => constant(load.cst)
      case _ => Seq.empty
    }

  private def constant(value: Any): Seq[Reference] = value match {
    case handle: Handle =>
      val static =
        Set(Opcodes.H_GETSTATIC, Opcodes.H_PUTSTATIC, Opcodes.H_INVOKESTATIC).contains(handle.getTag)
      Seq(MemberReference(handle.getOwner, handle.getName, handle.getDesc, static, handle.isInterface))
    case dynamic: ConstantDynamic =>
      val arguments =
        (0 until dynamic.getBootstrapMethodArgumentCount).map(dynamic.getBootstrapMethodArgument)
      (dynamic.getBootstrapMethod +: arguments).flatMap(constant)
    case _ => Seq.empty
  }

  private def classes(mentioned: Type): Seq[Reference] = mentioned.getSort match {
    case Type.METHOD => (mentioned.getReturnType +: mentioned.getArgumentTypes.toSeq).flatMap(classes)
    case Type.ARRAY => classes(mentioned.getElementType)
    case Type.OBJECT => Seq(ClassReference(mentioned.getInternalName))
    case _ => Seq.empty
  }
}
