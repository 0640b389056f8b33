addSbtPlugin("org.scalameta" % "sbt-scalafmt" % "2.6.2")

// Renames the published class that ours delegates to (project/RelocatedClasses.scala).
libraryDependencies += "org.ow2.asm" % "asm-commons" % "9.8"

// Writes the bill of materials of the bundle (project/Sbom.scala).
libraryDependencies += "org.cyclonedx" % "cyclonedx-core-java" % "12.2.0"
