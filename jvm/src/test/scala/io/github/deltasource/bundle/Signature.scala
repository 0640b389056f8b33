// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/**
 * Parses the notation of our tables, `[static] [interface] Owner.name(Type, Type): Type`, a readable form of the JVM's
 * descriptors. Type arguments are omitted, because the JVM erases them.
 */
object Signature {
  private val Method = """(static )?(interface )?([\w$]+)\.([\w$<>]+)\((.*)\): (\S+)""".r
  private val Field = """(static )?([\w$]+)\.([\w$]+): (\S+)""".r

  def parse(text: String): MemberReference = text match {
    case Method(static, interface, owner, name, parameters, result) =>
      val types = parameters.split(", ").toSeq.filter(_.nonEmpty).map(descriptor).mkString
      MemberReference(
        internal(owner),
        name,
        s"($types)${descriptor(result)}",
        static != null,
        interface != null
      )
    case Field(static, owner, name, kind) =>
      MemberReference(internal(owner), name, descriptor(kind), static != null)
    case _ => throw new IllegalArgumentException(s"not a signature: $text")
  }

  private def descriptor(kind: String): String = kind match {
    case "void" => "V"
    case "boolean" => "Z"
    case "long" => "J"
    case array if array.endsWith("[]") => s"[${descriptor(array.stripSuffix("[]"))}"
    case other => s"L${internal(other)};"
  }

  /** A name without a package is looked up below, `Outer$Nested` by its `Outer`. */
  def internal(name: String): String = {
    val (outer, nested) = name.span(_ != '$')
    if (name.contains('.')) name.replace('.', '/')
    else
      packages
        .collectFirst { case (home, names) if names.contains(outer) => s"$home/$outer$nested" }
        .getOrElse(throw new IllegalArgumentException(s"no package is known for $name, add it to Signature"))
  }

  private val packages: Map[String, Set[String]] = Map(
    "java/lang" -> "Object String",
    "scala" -> "Option Tuple2 Tuple3",
    "scala/collection" -> "Iterator",
    "scala/collection/immutable" -> "Map Seq",
    "org/apache/spark/sql" -> "Dataset SQLContext SaveMode SparkSession",
    "org/apache/spark/sql/catalyst/catalog" -> "CatalogTable",
    "org/apache/spark/sql/connector/catalog" -> "Table TableProvider",
    "org/apache/spark/sql/connector/expressions" -> "Transform",
    "org/apache/spark/sql/connector/read/streaming" ->
      "ReadLimit SupportsAdmissionControl SupportsTriggerAvailableNow",
    "org/apache/spark/sql/delta" -> "DeltaLog DeltaOptions SingleCommit Snapshot SnapshotDescriptor",
    "org/apache/spark/sql/delta/files" -> "DeltaSourceSnapshot SnapshotIterator",
    "org/apache/spark/sql/delta/sources" ->
      "AdmittableFile DeltaDataSource DeltaSource DeltaSourceBase DeltaSourceCDCSupport DeltaSourceOffset IndexedFile",
    "org/apache/spark/sql/delta/storage" -> "ClosableIterator",
    "org/apache/spark/sql/execution/streaming" -> "Sink Source",
    "org/apache/spark/sql/sources" ->
      "BaseRelation CreatableRelationProvider DataSourceRegister RelationProvider StreamSinkProvider StreamSourceProvider",
    "org/apache/spark/sql/streaming" -> "OutputMode",
    "org/apache/spark/sql/types" -> "StructType"
  ).map { case (home, names) => home -> names.split(' ').toSet }
}
