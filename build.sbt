ThisBuild / organization := "io.github.deltasource"
ThisBuild / version := IO.read(file("VERSION")).trim
ThisBuild / scalaVersion := Versions.line.scala
ThisBuild / licenses := Seq("Apache-2.0" -> url("https://www.apache.org/licenses/LICENSE-2.0.txt"))

lazy val root = (project in file(".")).aggregate(jvm, bench).settings(publish / skip := true)

lazy val strict = Seq(
  "-release:17",
  "-encoding",
  "utf8",
  "-deprecation",
  "-feature",
  "-unchecked",
  "-Xlint",
  "-Wunused",
  "-Wvalue-discard",
  "-Wdead-code",
  "-Wextra-implicit",
  "-Werror"
)

lazy val jvm = (project in file("jvm"))
  .settings(Bundle.settings)
  .settings(
    moduleName := s"deltasource-spark_${Versions.line.name}",
    description := "Delta Lake for Apache Spark with our own streaming source and sink, in one jar",
    libraryDependencies ++= Dependencies.spark ++ Dependencies.tests ++ Dependencies.bundled,
    scalacOptions ++= strict,
    // A folder as the repository: `--packages` is tried from it, and nothing reaches the user's own.
    publishTo := Some(MavenCache("target", target.value / "maven")),
    publishConfiguration := publishConfiguration.value.withOverwrite(true),
    Test / fork := true,
    Test / parallelExecution := false,
    Test / baseDirectory := (ThisBuild / baseDirectory).value,
    Test / javaOptions ++= JavaModules.flags ++ Seq(
      "-Xmx3g",
      "-XX:+UseSerialGC",
      // The tests run new code most of the time: optimising it further takes longer than it saves.
      "-XX:TieredStopAtLevel=1",
      s"-Dlog4j2.configurationFile=${(Test / sourceDirectory).value / "resources" / "log4j2-test.properties"}",
      s"-Ddeltasource.bundle=${Bundle.bundle.value}",
      s"-Ddeltasource.published=${Bundle.publishedDelta.value}",
      s"-Ddeltasource.spark=${update.value.select(configurationFilter("provided")).mkString(java.io.File.pathSeparator)}"
    ),
    Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDF")
  )

/** What the measurements put beside both sides on the class path. */
lazy val bench = (project in file("bench/jvm"))
  .settings(
    moduleName := "deltasource-bench",
    libraryDependencies ++= Dependencies.spark,
    scalacOptions ++= strict,
    publish / skip := true,
    Compile / packageBin / artifactPath := target.value / "deltasource-bench.jar"
  )
