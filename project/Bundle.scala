import java.io.{BufferedOutputStream, FileOutputStream}
import java.util.jar.{Attributes, JarEntry, JarFile, JarOutputStream, Manifest}

import scala.collection.JavaConverters._
import scala.sys.process._
import scala.util.Try

import Versions.SparkLine
import sbt.Keys._
import sbt._

/**
 * The one jar users put on the class path: the published delta-spark without [[ReplacedClasses]], our classes, and
 * the libraries delta-spark needs that Spark does not carry.
 */
object Bundle {
  val bundle = taskKey[File]("the bundle jar")
  val stock =
    taskKey[File]("a folder with the published jars, unmodified: the other side of the parity tests")
  private val published = taskKey[Seq[File]]("the published jars that go into the bundle")
  val publishedDelta = taskKey[File]("the published delta-spark, unmodified")
  private val stripped = taskKey[File]("the published delta-spark without the classes we replace")

  def settings(line: SparkLine): Seq[Setting[_]] = Seq(
    ivyConfigurations += Dependencies.Bundled,
    published := update.value.select(configurationFilter(Dependencies.Bundled.name)),
    publishedDelta := deltaSpark(line, published.value),
    stripped := {
      val jar = publishedDelta.value
      val out = target.value / "stripped" / jar.getName
      write(out, replaced(entries(jar)), new Manifest)
      out
    },
    Compile / unmanagedJars ++= (stripped.value +: libraries(line, published.value)).map(Attributed.blank),
    bundle := {
      val out = target.value / s"${line.artifact}-${version.value}.jar"
      val ours = (Compile / products).value.flatMap(classes)
      val licences = Seq("LICENSE", "NOTICE")
        .map(name =>
          Entry(s"META-INF/$name", IO.readBytes((ThisBuild / baseDirectory).value / name), "licences"))
      val delta = entries(publishedDelta.value)
      checkReplacements(ours, delta)
      write(
        out,
        merge(licences ++ ours ++ replaced(delta) ++ libraries(line, published.value).flatMap(entries)),
        manifest(line, version.value))
      streams.value.log.info(s"bundle: $out (${out.length / 1024} KiB)")
      out
    },
    stock := {
      val out = target.value / "stock"
      IO.delete(out)
      published.value.foreach(jar => IO.copyFile(jar, out / jar.getName))
      out
    },
    Compile / packageBin := bundle.value,
    Compile / packageDoc / publishArtifact := false,
    pomPostProcess := withoutDependencies
  )

  private final case class Entry(name: String, bytes: Array[Byte], origin: String)

  private def deltaSpark(line: SparkLine, jars: Seq[File]): File =
    jars
      .find(_.getName.startsWith(line.deltaSpark))
      .getOrElse(sys.error(s"no ${line.deltaSpark} among ${jars.mkString(", ")}"))

  private def libraries(line: SparkLine, jars: Seq[File]): Seq[File] =
    jars.filterNot(_ == deltaSpark(line, jars))

  private def entries(jar: File): Seq[Entry] = {
    val file = new JarFile(jar)
    try
      file.entries.asScala
        .filterNot(e => e.isDirectory || e.getName == JarFile.MANIFEST_NAME)
        .map(e => Entry(e.getName, file.getInputStream(e).readAllBytes(), jar.getName))
        .toList
    finally file.close()
  }

  private def classes(folder: File): Seq[Entry] =
    (folder ** "*").get.filter(_.isFile).map { f =>
      Entry(IO.relativize(folder, f).get.replace('\\', '/'), IO.readBytes(f), "ours")
    }

  /**
   * delta-spark without the classes whose names ours take; those that ours delegate to are there under another name,
   * and some classes are patched.
   */
  private def replaced(delta: Seq[Entry]): Seq[Entry] = {
    val missing = ReplacedClasses.names.toSet ++ PatchedClasses.names -- delta.map(_.name)
    if (missing.nonEmpty)
      sys.error(
        s"ReplacedClasses or PatchedClasses name what is not in delta-spark: ${missing.mkString(", ")}")
    val (taken, kept) = delta.partition(entry => ReplacedClasses.names.contains(entry.name))
    val relocated = taken.flatMap { entry =>
      RelocatedClasses.entry(entry.name).map(Entry(_, RelocatedClasses.relocate(entry.bytes), "relocated"))
    }
    kept.map(entry => entry.copy(bytes = PatchedClasses.patch(entry.name, entry.bytes))) ++ relocated
  }

  private def checkReplacements(ours: Seq[Entry], delta: Seq[Entry]): Unit = {
    val twice = ours.map(_.name).filter(_.endsWith(".class")).toSet.intersect(delta.map(_.name).toSet) --
      ReplacedClasses.names
    if (twice.nonEmpty) sys.error(s"ours and delta-spark's, add to ReplacedClasses: ${twice.mkString(", ")}")
  }

  /** Equal copies of one entry collapse; two that differ are an error, for one of them would be lost. */
  private def merge(all: Seq[Entry]): Seq[Entry] =
    all.groupBy(_.name).toSeq.sortBy(_._1).map { case (name, copies) =>
      if (copies.tail.exists(copy => !copy.bytes.sameElements(copies.head.bytes)))
        sys.error(s"$name differs between ${copies.map(_.origin).mkString(", ")}")
      copies.head
    }

  private def manifest(line: SparkLine, version: String): Manifest = {
    val commit = Try(Seq("git", "rev-parse", "HEAD").!!(ProcessLogger(_ => ())).trim).getOrElse("unknown")
    val manifest = new Manifest
    val main = manifest.getMainAttributes
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0")
    Seq(
      "Implementation-Title" -> "deltasource",
      "Implementation-Version" -> version,
      "Deltasource-Version" -> version,
      "Deltasource-Spark-Line" -> line.name,
      "Deltasource-Delta-Version" -> Versions.delta,
      "Deltasource-Git-Commit" -> commit
    ).foreach { case (key, value) => main.putValue(key, value) }
    manifest
  }

  /** The same entries give the same bytes: sorted names, one fixed time. */
  private def write(out: File, entries: Seq[Entry], manifest: Manifest): Unit = {
    IO.createDirectory(out.getParentFile)
    val jar = new JarOutputStream(new BufferedOutputStream(new FileOutputStream(out)))
    def put(name: String)(body: => Unit): Unit = {
      val entry = new JarEntry(name)
      entry.setTime(315532800000L) // 1980, the first year a zip file can hold
      jar.putNextEntry(entry)
      body
      jar.closeEntry()
    }
    try {
      if (!manifest.getMainAttributes.isEmpty) put(JarFile.MANIFEST_NAME)(manifest.write(jar))
      entries.sortBy(_.name).foreach(entry => put(entry.name)(jar.write(entry.bytes)))
    } finally jar.close()
  }

  /** Everything is inside and Spark is provided, so the POM names nothing that could pull in a second Delta. */
  private def withoutDependencies(pom: scala.xml.Node): scala.xml.Node = pom match {
    case element: scala.xml.Elem =>
      element.copy(child = element.child.filterNot(_.label == "dependencies").map(withoutDependencies))
    case other => other
  }
}
