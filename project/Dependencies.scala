import Versions.SparkLine
import sbt._

object Dependencies {

  /** What the bundle jar carries beside our classes. Hidden: it never reaches the POM. */
  val Bundled: Configuration = config("bundled").hide

  val deltaSpark = "delta-spark"
  val kernelApi = "delta-kernel-api"
  val apache = "Apache-2.0"

  private def delta(name: String) = ("io.delta" % name % Versions.delta % Bundled).intransitive()

  private def unityCatalog(name: String) =
    ("io.unitycatalog" % name % Versions.unityCatalog % Bundled).intransitive()

  /** The published delta-spark and the run-time libraries of its POM that Spark does not carry. */
  def bundled(line: SparkLine): Seq[ModuleID] = Seq(
    delta(line.deltaSpark),
    delta("delta-storage"),
    delta(kernelApi),
    delta("delta-kernel-defaults"),
    delta("delta-kernel-unitycatalog"),
    unityCatalog("unitycatalog-client"),
    unityCatalog("unitycatalog-hadoop")
  )

  /** What the published delta-kernel-api contains, with its packages renamed; NOTICE lists it too. */
  val insideKernelApi: Seq[ModuleID] = Seq(
    "com.fasterxml.jackson.core" % "jackson-annotations" % Versions.kernelJackson,
    "com.fasterxml.jackson.core" % "jackson-core" % Versions.kernelJackson,
    "com.fasterxml.jackson.core" % "jackson-databind" % Versions.kernelJackson,
    "com.fasterxml.jackson.datatype" % "jackson-datatype-jdk8" % Versions.kernelJackson
  )

  /** Declarative pipelines come along with some releases, are not used here, and were not always published. */
  def spark(line: SparkLine): Seq[ModuleID] = Seq("spark-sql", "spark-hive").map { name =>
    ("org.apache.spark" %% name % line.spark % Provided).exclude("org.apache.spark", "spark-pipelines_2.13")
  }

  val tests: Seq[ModuleID] = Seq(
    "org.scalatest" %% "scalatest" % Versions.scalatest % Test,
    "com.tngtech.archunit" % "archunit" % Versions.archunit % Test,
    "org.scalatestplus" %% "scalacheck-1-18" % Versions.scalacheck % Test
  )
}
