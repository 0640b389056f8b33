import sbt._

object Dependencies {

  /** What the bundle jar carries beside our classes. Hidden: it never reaches the POM. */
  val Bundled: Configuration = config("bundled").hide

  private def delta(name: String) = ("io.delta" % name % Versions.delta % Bundled).intransitive()

  private def unityCatalog(name: String) =
    ("io.unitycatalog" % name % Versions.unityCatalog % Bundled).intransitive()

  val deltaSpark: ModuleID = delta(Versions.line.deltaSpark)

  /** The published delta-spark and the run-time libraries of its POM that Spark does not carry. */
  val bundled: Seq[ModuleID] = Seq(
    deltaSpark,
    delta("delta-storage"),
    delta("delta-kernel-api"),
    delta("delta-kernel-defaults"),
    delta("delta-kernel-unitycatalog"),
    unityCatalog("unitycatalog-client"),
    unityCatalog("unitycatalog-hadoop")
  )

  val spark: Seq[ModuleID] = Seq("spark-sql", "spark-hive").map { name =>
    "org.apache.spark" % s"${name}_${Versions.line.scalaBinary}" % Versions.line.spark % Provided
  }

  val tests: Seq[ModuleID] = Seq(
    "org.scalatest" %% "scalatest" % Versions.scalatest % Test,
    "com.tngtech.archunit" % "archunit" % Versions.archunit % Test,
    "org.scalatestplus" %% "scalacheck-1-18" % Versions.scalacheck % Test
  )
}
