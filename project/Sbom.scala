import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest
import java.util.UUID

import scala.collection.JavaConverters._

import org.cyclonedx.Version
import org.cyclonedx.generators.BomGeneratorFactory
import org.cyclonedx.model.{Ancestors, Bom, Component, Dependency, Hash, LicenseChoice, Metadata, Pedigree}
import org.cyclonedx.parsers.JsonParser
import org.cyclonedx.util.LicenseResolver
import sbt.{Hash => _, _}

/**
 * The bill of materials of a bundle, a CycloneDX document: each library in it, under which licence, and what the bundle
 * changes in it. It depends on the content of the bundle only, so that equal bundles have equal documents.
 */
object Sbom {

  /** A published jar that goes into the bundle, with the licences that its POM names. */
  final case class Library(module: ModuleID, licenses: Seq[String], jar: File)

  def libraries(report: UpdateReport): Seq[Library] =
    for {
      configuration <- report.configurations if configuration.configuration.name == Dependencies.Bundled.name
      module <- configuration.modules
      (_, jar) <- module.artifacts
    } yield Library(module.module, module.licenses.map(_._1), jar)

  /** Returns the document, and fails if it does not follow the schema of CycloneDX. */
  def json(bundle: ModuleID, jar: File, libraries: Seq[Library]): String = {
    val bom = new Bom
    val ours = component(bundle, Seq(Dependencies.apache))
    ours.addHash(sha256(jar))
    bom.setSerialNumber(s"urn:uuid:${UUID.nameUUIDFromBytes(IO.readBytes(jar))}")
    bom.setMetadata(new Metadata)
    // No time, which would differ between two builds.
    bom.getMetadata.setTimestamp(null)
    bom.getMetadata.setComponent(ours)
    val uses = new Dependency(ours.getBomRef)
    libraries.sortBy(_.module.name).map(bundled).foreach { library =>
      bom.addComponent(library)
      uses.addDependency(new Dependency(library.getBomRef))
    }
    bom.addDependency(uses)
    val text = BomGeneratorFactory.createJson(Version.VERSION_16, bom).toJsonString
    val mistakes =
      withOwnClassLoader(new JsonParser().validate(text.getBytes(UTF_8), Version.VERSION_16)).asScala
    if (mistakes.nonEmpty) sys.error(s"the SBOM is not valid: ${mistakes.map(_.getMessage).mkString(", ")}")
    text
  }

  /** The parser finds the schemas with the thread's class loader, which is that of sbt. */
  private def withOwnClassLoader[A](body: => A): A = {
    val thread = Thread.currentThread
    val before = thread.getContextClassLoader
    thread.setContextClassLoader(classOf[JsonParser].getClassLoader)
    try body
    finally thread.setContextClassLoader(before)
  }

  private def bundled(library: Library): Component = {
    val published = component(library.module, library.licenses)
    published.addHash(sha256(library.jar))
    if (library.module.name == Dependencies.kernelApi)
      Dependencies.insideKernelApi.map(component(_, Seq(Dependencies.apache))).foreach(published.addComponent)
    if (library.module.name.startsWith(Dependencies.deltaSpark)) changed(published, library) else published
  }

  /** delta-spark as it is in the bundle: descended from the published one, and without its hash. */
  private def changed(published: Component, library: Library): Component = {
    val changed = component(library.module, library.licenses)
    val pedigree = new Pedigree
    pedigree.setAncestors(new Ancestors)
    published.setBomRef(s"${published.getBomRef}#published")
    pedigree.getAncestors.setComponents(Seq(published).asJava)
    pedigree.setNotes(
      Seq(
        s"Left out, ours take their place: ${ReplacedClasses.names.mkString(", ")}.",
        s"Renamed: ${RelocatedClasses.names.toSeq.sorted.map { case (from, to) => s"$from to $to" }.mkString(", ")}.",
        s"Changed: ${PatchedClasses.names.toSeq.sorted.mkString(", ")}."
      ).mkString("\n"))
    changed.setPedigree(pedigree)
    changed
  }

  private def component(module: ModuleID, licenses: Seq[String]): Component = {
    val component = new Component
    val purl = s"pkg:maven/${module.organization}/${module.name}@${module.revision}"
    component.setType(Component.Type.LIBRARY)
    component.setGroup(module.organization)
    component.setName(module.name)
    component.setVersion(module.revision)
    component.setPurl(purl)
    component.setBomRef(purl)
    component.setLicenses(spdx(module, licenses))
    component
  }

  private def spdx(module: ModuleID, licenses: Seq[String]): LicenseChoice = {
    val choice = new LicenseChoice
    licenses.foreach { name =>
      val known = Option(LicenseResolver.resolve(name, false)).flatMap(found => Option(found.getLicenses))
      known.toSeq.flatMap(_.asScala).foreach(choice.addLicense)
    }
    if (Option(choice.getLicenses).forall(_.isEmpty))
      sys.error(s"no known licence of $module among ${licenses.mkString(", ")}")
    choice
  }

  private def sha256(file: File): Hash = {
    val digest = MessageDigest.getInstance("SHA-256").digest(IO.readBytes(file))
    new Hash(Hash.Algorithm.SHA_256, sbt.io.Hash.toHex(digest))
  }
}
