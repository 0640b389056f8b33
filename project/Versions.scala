/** The one place for version numbers. */
object Versions {
  val delta = "4.4.0"

  /**
   * A Spark line that a jar is built for.
   *
   * @param name  the line as in the artifact's name, which is delta-spark's too; its sources are in `jvm/lines/<name>`
   * @param spark the release that the jar is compiled and checked against
   * @param scala the Scala that this release was built with
   */
  final case class SparkLine(name: String, spark: String, scala: String) {
    private val suffix = s"${name}_${scala.split('.').take(2).mkString(".")}"

    /** The name of the line's project in sbt: `spark42`. */
    val project: String = s"spark${name.filter(_.isDigit)}"
    val deltaSpark: String = s"delta-spark_$suffix"
    val artifact: String = s"deltasource-spark_$suffix"
  }

  val lines: Seq[SparkLine] = Seq(
    SparkLine(name = "4.0", spark = "4.0.1", scala = "2.13.16"),
    SparkLine(name = "4.1", spark = "4.1.1", scala = "2.13.17"),
    SparkLine(name = "4.2", spark = "4.2.0", scala = "2.13.18")
  )

  val newest: SparkLine = lines.last

  val unityCatalog = "0.6.0"

  /** The Jackson inside the published delta-kernel-api. */
  val kernelJackson = "2.13.5"
  val archunit = "1.5.0"
  val scalatest = "3.2.20"
  val scalacheck = "3.2.19.0"
}
