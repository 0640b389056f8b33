import sbt.Keys._
import sbt._

/** The POMs of the artifacts, and the files next to each jar, as Maven Central requires them. */
object Publishing {

  /** The project's page. `python/pyproject.toml` has it too; a test compares them. */
  val page = "https://github.com/deltasource/deltasource"

  val settings: Seq[Setting[_]] = Seq(
    organizationName := "The deltasource authors",
    homepage := Some(url(page)),
    scmInfo := Some(ScmInfo(url(page), s"scm:git:$page.git", s"scm:git:$page.git")),
    developers := List(Developer("deltasource", "The deltasource authors", "", url(page))),
    pomIncludeRepository := (_ => false),
    pomPostProcess := withoutDependencies,
    // The docs: users set names of our classes in confs, and do not call them from Scala or Java.
    Compile / packageDoc / mappings := pages((ThisBuild / baseDirectory).value),
    // A folder as the repository: `--packages` is tried from it, and nothing reaches the user's own.
    publishTo := Some(MavenCache("target", (ThisBuild / baseDirectory).value / "jvm" / "target" / "maven")),
    publishConfiguration := publishConfiguration.value.withOverwrite(true)
  )

  private def pages(root: File): Seq[(File, String)] =
    Seq("README.md", "CHANGELOG.md", "LICENSE", "NOTICE").map(name => root / name -> name) ++
      ((root / "docs") ** "*.md").get.map(page => page -> IO.relativize(root, page).get)

  /** Everything is inside and Spark is provided, so the POM names nothing that could pull in a second Delta. */
  private def withoutDependencies(pom: scala.xml.Node): scala.xml.Node = pom match {
    case element: scala.xml.Elem =>
      element.copy(child = element.child.filterNot(_.label == "dependencies").map(withoutDependencies))
    case other => other
  }
}
