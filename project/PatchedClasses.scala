import org.objectweb.asm.{ClassReader, ClassVisitor, ClassWriter, Label, MethodVisitor, Opcodes}

/**
 * Published classes that the bundle changes: one method of each first calls a static method of ours, and returns the
 * array that it gets. If the array is empty, the method continues as published. The build fails if a method that is to
 * be changed does not exist.
 */
object PatchedClasses {
  private val delta = "org/apache/spark/sql/delta"

  /**
   * @param method     the method of the published class, which has no parameters and returns an array
   * @param descriptor the type of the method, as in a class file
   * @param asks       our class; its static method `read` takes the object and returns the same type of array
   */
  private final case class Patch(method: String, descriptor: String, asks: String) {
    val result: String = descriptor.stripPrefix("()")
  }

  private val patches: Map[String, Patch] = Map(
    s"$delta/Snapshot" -> Patch(
      "protocolMetadataICTAndLMCReconstruction",
      s"()[L$delta/Snapshot$$ReconstructedProtocolMetadataICTAndLMC;",
      s"$delta/stream/snapshot/ProtocolMetadataReader"
    )
  )

  /** The class files that [[patch]] changes. */
  val names: Set[String] = patches.keySet.map(_ + ".class")

  /** Returns the bytes of this class file for the bundle. */
  def patch(name: String, bytes: Array[Byte]): Array[Byte] = {
    val className = name.stripSuffix(".class")
    patches.get(className).fold(bytes)(patch(className, bytes, _))
  }

  private def patch(className: String, bytes: Array[Byte], patch: Patch): Array[Byte] = {
    val writer = new ClassWriter(ClassWriter.COMPUTE_MAXS)
    val asking = new Asking(className, patch, writer)
    new ClassReader(bytes).accept(asking, 0)
    if (!asking.isDone) sys.error(s"$className has no ${patch.method}${patch.descriptor}")
    writer.toByteArray
  }

  private final class Asking(className: String, patch: Patch, writer: ClassWriter)
      extends ClassVisitor(Opcodes.ASM9, writer) {
    var isDone = false

    override def visitMethod(
        access: Int,
        name: String,
        descriptor: String,
        signature: String,
        exceptions: Array[String]): MethodVisitor = {
      val method = super.visitMethod(access, name, descriptor, signature, exceptions)
      if (name != patch.method || descriptor != patch.descriptor) method
      else {
        isDone = true
        new MethodVisitor(Opcodes.ASM9, method) {
          override def visitCode(): Unit = {
            super.visitCode()
            val continue = new Label
            visitVarInsn(Opcodes.ALOAD, 0)
            visitMethodInsn(Opcodes.INVOKESTATIC, patch.asks, "read", s"(L$className;)${patch.result}", false)
            visitInsn(Opcodes.DUP)
            visitInsn(Opcodes.ARRAYLENGTH)
            visitJumpInsn(Opcodes.IFEQ, continue)
            visitInsn(Opcodes.ARETURN)
            visitLabel(continue)
            visitFrame(Opcodes.F_SAME1, 0, null, 1, Array[AnyRef](patch.result))
            visitInsn(Opcodes.POP)
          }
        }
      }
    }
  }
}
