/** The one place for version numbers. Another Spark line is another row of [[Versions.lines]]. */
object Versions {
  val delta = "4.4.0"

  /** One Spark line that a jar is built for; `name` is the suffix of the artifact. */
  final case class SparkLine(name: String, spark: String, scala: String) {
    val scalaBinary: String = scala.split('.').take(2).mkString(".")
    val deltaSpark: String = s"delta-spark_${name}_$scalaBinary"
    val artifact: String = s"deltasource-spark_${name}_$scalaBinary"
  }

  val lines: Seq[SparkLine] = Seq(
    SparkLine(name = "4.2", spark = "4.2.0", scala = "2.13.18")
  )

  val line: SparkLine = lines.head

  val unityCatalog = "0.6.0"
  val archunit = "1.5.0"
  val scalatest = "3.2.20"
  val scalacheck = "3.2.19.0"
}
