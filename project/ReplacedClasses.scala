/**
 * The class files of the published delta-spark that the bundle leaves out because ours take their place: by
 * explicit name, nested and anonymous classes included, never by a prefix (`DeltaSource*` would also
 * take `DeltaSourceOffset` and `DeltaSourceUtils`). The build fails when a name here is not in the published
 * jar, and when a class of ours is in the published jar but not here.
 */
object ReplacedClasses {
  private val delta = "org/apache/spark/sql/delta"

  val names: Seq[String] = Seq(
    "files/DeltaSourceSnapshot",
    "sources/DeltaDataSource",
    "sources/DeltaDataSource$",
    "sources/DeltaSink",
    "sources/DeltaSink$",
    "sources/DeltaSink$$anonfun$1",
    "sources/DeltaSink$PendingTxn",
    "sources/DeltaSink$PendingTxn$",
    "sources/DeltaSource",
    "sources/DeltaSource$",
    "sources/DeltaSource$$anon$2",
    "sources/DeltaSource$$anonfun$1",
    "sources/DeltaSource$AdmissionLimits",
    "sources/DeltaSource$AdmissionLimits$",
    "sources/DeltaSource$DeltaSourceAdmissionBase",
    "sources/DeltaSourceBase",
    "sources/DeltaSourceBase$$anon$1",
    "sources/DeltaSourceCDCSupport",
    "sources/DeltaSourceCDCSupport$IndexedChangeFileSeq",
    "sources/IndexedFile",
    "sources/IndexedFile$"
  ).map(name => s"$delta/$name.class")
}
