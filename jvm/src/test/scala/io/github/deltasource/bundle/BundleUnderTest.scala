// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import java.io.File
import java.util.jar.JarFile

import scala.util.Using

/** The bundle jar and Spark's own jars, from system properties that the build sets. Read once for all suites. */
object BundleUnderTest {
  val jar: File = new File(property("deltasource.bundle"))

  lazy val universe: Universe = {
    val spark = property("deltasource.spark").split(File.pathSeparator).toSeq
    Universe(jar, spark.map(new File(_)))
  }

  /** The classes of the published delta-spark, by name. */
  lazy val published: Map[String, ClassFile] = Universe.readAll(new File(property("deltasource.published")))

  /** The classes that this project wrote. */
  def ours: Iterable[ClassFile] =
    universe.bundle.values.filter { file =>
      file.name.startsWith("org/apache/spark/sql/delta/") && !published.get(file.name).contains(file)
    }

  def entry(name: String): Array[Byte] = Using.resource(new JarFile(jar)) { open =>
    val found = Option(open.getEntry(name)).getOrElse(throw new NoSuchElementException(s"$jar has no $name"))
    open.getInputStream(found).readAllBytes()
  }

  private def property(name: String): String =
    sys.props.getOrElse(
      name,
      throw new IllegalStateException(s"no system property $name: run the tests through sbt")
    )
}
