import scala.collection.JavaConverters._

import org.objectweb.asm.commons.{ClassRemapper, SimpleRemapper}
import org.objectweb.asm.{AnnotationVisitor, Attribute, ClassReader, ClassVisitor, ClassWriter, Opcodes}

/**
 * Published classes whose name ours take, and which stay in the bundle under another name: ours delegate to them
 * everything that is not about streams.
 */
object RelocatedClasses {
  private val sources = "org/apache/spark/sql/delta/sources"

  /** The names of the published classes, and those in the bundle. */
  val names: Map[String, String] = Map(
    s"$sources/DeltaDataSource" -> s"$sources/UpstreamDeltaDataSource",
    s"$sources/DeltaDataSource$$" -> s"$sources/UpstreamDeltaDataSource$$"
  )

  /** The new name of a class file's entry, if it is relocated. */
  def entry(name: String): Option[String] =
    names.get(name.stripSuffix(".class")).map(_ + ".class")

  /** The class under its new name, referring to the others by their new names. */
  def relocate(bytes: Array[Byte]): Array[Byte] = {
    val writer = new ClassWriter(0)
    new ClassReader(bytes).accept(
      new ClassRemapper(asJava(writer), new SimpleRemapper(names.asJava)),
      Array.empty[Attribute],
      0)
    writer.toByteArray
  }

  /** The Scala signature names the class as it was called: without it the compiler sees a class of Java. */
  private def asJava(writer: ClassWriter): ClassVisitor = new ClassVisitor(Opcodes.ASM9, writer) {
    override def visitAnnotation(descriptor: String, visible: Boolean): AnnotationVisitor =
      if (descriptor.startsWith("Lscala/reflect/Scala")) null
      else super.visitAnnotation(descriptor, visible)

    override def visitAttribute(attribute: Attribute): Unit =
      if (!attribute.`type`.startsWith("Scala")) super.visitAttribute(attribute)
  }
}
