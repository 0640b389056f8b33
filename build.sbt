ThisBuild / organization := "io.github.deltasource"
ThisBuild / version := IO.read(file("VERSION")).trim
ThisBuild / scalaVersion := Versions.newest.scala
ThisBuild / licenses := Seq("Apache-2.0" -> url("https://www.apache.org/licenses/LICENSE-2.0.txt"))

// Two JVMs run tests at the same time, one for each core.
Global / concurrentRestrictions := Seq(
  Tags.limitAll(sys.runtime.availableProcessors),
  Tags.limit(Tags.ForkedTestGroup, 2))

lazy val root = (project in file("."))
  .aggregate(Versions.lines.map(line =>
    LocalProject(line.project): ProjectReference) ++ Seq[ProjectReference](bench, localFiles): _*)
  .settings(publish / skip := true)

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

/** A project for each Spark line: the common sources with those of the line. `spark42/test` runs one line's tests. */
lazy val lines = new CompositeProject {
  def componentProjects: Seq[Project] = Versions.lines.map(sparkLine)
}

def sparkLine(line: Versions.SparkLine): Project = Project(line.project, file(s"jvm/lines/${line.name}"))
  .dependsOn(localFiles % Test)
  .settings(Bundle.settings(line) ++ Publishing.settings)
  .settings(
    moduleName := s"deltasource-spark_${line.name}",
    name := s"deltasource for Spark ${line.name}",
    description := "Delta Lake for Apache Spark with our own streaming source and sink, in one jar",
    scalaVersion := line.scala,
    target := (ThisBuild / baseDirectory).value / "jvm" / "target" / line.name,
    Compile / unmanagedSourceDirectories += common.value / "main" / "scala",
    Compile / unmanagedResourceDirectories += common.value / "main" / "resources",
    Test / unmanagedSourceDirectories += common.value / "test" / "scala",
    Test / unmanagedResourceDirectories += common.value / "test" / "resources",
    libraryDependencies ++= Dependencies.spark(line) ++ Dependencies.tests ++ Dependencies.bundled(line),
    scalacOptions ++= strict,
    Test / fork := true,
    Test / testForkedParallel := false,
    Test / testGrouping := halves((Test / definedTests).value, (Test / forkOptions).value),
    Test / baseDirectory := (ThisBuild / baseDirectory).value,
    Test / javaOptions ++= JavaModules.flags ++ Seq(
      "-Xmx3g",
      "-XX:+UseSerialGC",
      // The tests run new code most of the time: optimising it further takes longer than it saves.
      "-XX:TieredStopAtLevel=1",
      // With one compiler the default is 48 MB, which a long run fills: code is dropped and compiled again.
      "-XX:ReservedCodeCacheSize=240m",
      s"-Dlog4j2.configurationFile=${common.value / "test" / "resources" / "log4j2-test.properties"}",
      s"-Ddeltasource.bundle=${Bundle.bundle.value}",
      s"-Ddeltasource.published=${Bundle.publishedDelta.value}",
      s"-Ddeltasource.spark=${update.value.select(configurationFilter("provided")).mkString(java.io.File.pathSeparator)}"
    ),
    Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDF")
  )

/** Every other suite: the halves run at the same time, each in a JVM with one Spark session. */
def halves(suites: Seq[TestDefinition], options: ForkOptions): Seq[Tests.Group] = {
  val (first, second) = suites.sortBy(_.name).zipWithIndex.partition(_._2 % 2 == 0)
  Seq("first half" -> first, "second half" -> second).map { case (name, half) =>
    Tests.Group(name, half.map(_._1), Tests.SubProcess(options))
  }
}

/** Where the sources of all lines are. */
lazy val common = Def.setting((ThisBuild / baseDirectory).value / "jvm" / "src")

/** Local files without a process for each of them. The tests of both languages have it on the class path. */
lazy val localFiles = (project in file("tests/jvm"))
  .settings(
    moduleName := "deltasource-local-files",
    libraryDependencies ++= Dependencies.spark(Versions.newest),
    scalacOptions ++= strict,
    publish / skip := true,
    Compile / packageBin / artifactPath := target.value / "local-files.jar"
  )

/** What the measurements put beside both sides on the class path. */
lazy val bench = (project in file("bench/jvm"))
  .settings(
    moduleName := "deltasource-bench",
    libraryDependencies ++= Dependencies.spark(Versions.newest),
    scalacOptions ++= strict,
    publish / skip := true,
    Compile / packageBin / artifactPath := target.value / "deltasource-bench.jar"
  )
