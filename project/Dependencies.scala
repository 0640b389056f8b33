import Versions.SparkLine
import sbt._

object Dependencies {

  /** What the bundle jar carries beside our classes. Hidden: it never reaches the POM. */
  val Bundled: Configuration = config("bundled").hide

  private def delta(name: String) = ("io.delta" % name % Versions.delta % Bundled).intransitive()

  private def unityCatalog(name: String) =
    ("io.unitycatalog" % name % Versions.unityCatalog % Bundled).intransitive()

  /** The published delta-spark and the run-time libraries of its POM that Spark does not carry. */
  def bundled(line: SparkLine): Seq[ModuleID] = Seq(
    delta(line.deltaSpark),
    delta("delta-storage"),
    delta("delta-kernel-api"),
    delta("delta-kernel-defaults"),
    delta("delta-kernel-unitycatalog"),
    unityCatalog("unitycatalog-client"),
    unityCatalog("unitycatalog-hadoop")
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
