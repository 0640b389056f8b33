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
  val sbom = taskKey[File]("the bill of materials of the bundle")
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
      ifChanged(streams.value, Seq(jar) ++ buildFiles.value, out) {
        write(out, replaced(entries(jar)), new Manifest)
      }
    },
    Compile / unmanagedJars ++= (stripped.value +: libraries(line, published.value)).map(Attributed.blank),
    bundle := {
      val out = target.value / s"${line.artifact}-${version.value}.jar"
      val folders = (Compile / products).value
      val licences = Seq("LICENSE", "NOTICE").map((ThisBuild / baseDirectory).value / _)
      val about = manifest(line, version.value)
      val jars = published.value
      val delta = publishedDelta.value
      val inputs = jars ++ folders.flatMap(files) ++ licences ++ buildFiles.value :+
        manifestFile(about, target.value / "manifest" / "MANIFEST.MF")
      ifChanged(streams.value, inputs, out) {
        val ours = folders.flatMap(classes)
        val theirs = entries(delta)
        checkReplacements(ours, theirs)
        write(
          out,
          merge(licences.map(licence) ++ ours ++ replaced(theirs) ++ libraries(line, jars).flatMap(entries)),
          about)
        streams.value.log.info(s"bundle: $out (${out.length / 1024} KiB)")
      }
    },
    sbom := {
      val out = target.value / s"${line.artifact}-${version.value}-cyclonedx.json"
      val jar = bundle.value
      val report = update.value
      val module = organization.value % line.artifact % version.value
      ifChanged(streams.value, jar +: buildFiles.value, out) {
        IO.write(out, Sbom.json(module, jar, Sbom.libraries(report)))
      }
    },
    stock := {
      val out = target.value / "stock"
      val jars = published.value
      val copies = jars.map(jar => out / jar.getName)
      val task = streams.value
      IO.delete(files(out).filterNot(copies.contains))
      jars.zip(copies).foreach { case (jar, copy) => ifChanged(task, Seq(jar), copy)(IO.copyFile(jar, copy)) }
      out
    },
    Compile / packageBin := bundle.value
  ) ++ addArtifact(Def.setting(Artifact(moduleName.value, "json", "json", "cyclonedx")), sbom).settings

  /** The sources of the build: what they name and how they write it is in the bundle. */
  private val buildFiles = Def.setting {
    ((ThisBuild / baseDirectory).value / "project" * ("*.scala" | "*.sbt" | "*.properties")).get
  }

  /** Writes a file only if it, or the content of something that it is made of, has changed since it was written. */
  private def ifChanged(task: TaskStreams, inputs: Seq[File], out: File)(write: => Unit): File = {
    val cached = FileFunction.cached(task.cacheDirectory / out.getName, FilesInfo.hash, FilesInfo.hash) { _ =>
      write
      Set(out)
    }
    cached(inputs.toSet)
    out
  }

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

  private def files(folder: File): Seq[File] = (folder ** "*").get.filter(_.isFile)

  private def classes(folder: File): Seq[Entry] =
    files(folder).map { f =>
      Entry(IO.relativize(folder, f).get.replace('\\', '/'), IO.readBytes(f), "ours")
    }

  private def licence(file: File): Entry =
    Entry(s"META-INF/${file.getName}", IO.readBytes(file), "licences")

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

  /** The manifest as a file, to see whether it has changed. */
  private def manifestFile(manifest: Manifest, file: File): File = {
    IO.createDirectory(file.getParentFile)
    sbt.io.Using.fileOutputStream()(file)(manifest.write(_))
    file
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
}
