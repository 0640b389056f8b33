// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

import java.io.File
import java.util.jar.JarFile

import scala.collection.concurrent.TrieMap
import scala.jdk.CollectionConverters._
import scala.util.Using

/** Every class that a session sees: the bundle's first, then Spark's, then the JDK's. */
final class Universe(val bundle: Map[String, ClassFile], others: String => Option[ClassFile]) {

  def find(name: String): Option[ClassFile] = bundle.get(name).orElse(others(name))

  def without(name: String): Universe = new Universe(bundle - name, others(_).filter(_.name != name))

  def updated(changed: ClassFile): Universe =
    if (bundle.contains(changed.name)) new Universe(bundle.updated(changed.name, changed), others)
    else new Universe(bundle, name => if (name == changed.name) Some(changed) else others(name))
}

object Universe {

  def apply(bundle: File, spark: Seq[File]): Universe =
    new Universe(readAll(bundle), cached(sparkOrJdk(spark)))

  def readAll(jar: File): Map[String, ClassFile] =
    Using.resource(new JarFile(jar)) { open =>
      open.entries.asScala
        .filter(entry => entry.getName.endsWith(".class") && !entry.getName.startsWith("META-INF/"))
        .map(entry => ClassFile.read(open.getInputStream(entry).readAllBytes()))
        .map(file => file.name -> file)
        .toMap
    }

  private def sparkOrJdk(jars: Seq[File]): String => Option[ClassFile] = {
    val jarOf = jars.reverse.flatMap { jar =>
      val open = new JarFile(jar)
      open.entries.asScala.map(_.getName).filter(_.endsWith(".class")).map(_.stripSuffix(".class") -> open)
    }.toMap
    val jdk = ClassLoader.getPlatformClassLoader
    name =>
      jarOf
        .get(name)
        .map(jar => jar.getInputStream(jar.getEntry(s"$name.class")))
        .orElse(Option(jdk.getResourceAsStream(s"$name.class")))
        .map(stream => ClassFile.readDeclared(Using.resource(stream)(_.readAllBytes())))
  }

  private def cached(find: String => Option[ClassFile]): String => Option[ClassFile] = {
    val known = TrieMap.empty[String, Option[ClassFile]]
    name => known.getOrElseUpdate(name, find(name))
  }
}
