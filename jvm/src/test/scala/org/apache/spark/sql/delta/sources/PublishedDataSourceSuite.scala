// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.lang.invoke.MethodType

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.types.{LongType, StructType}

import io.github.deltasource.bundle.{BundleUnderTest, MemberReference}
import org.apache.spark.sql.delta.testing.TestTable
import org.apache.xbean.asm9.Type
import org.scalatest.funsuite.AnyFunSuite

/** What is not about streams is the published data source's answer, and what is about them leaves no conf out. */
class PublishedDataSourceSuite extends AnyFunSuite with DeltaDataSourceFixture {
  private val sources = "org/apache/spark/sql/delta/sources"
  private val confs = s"$sources/DeltaSQLConf$$"
  private val options = "org/apache/spark/sql/delta/DeltaOptions"

  private def write(t: TestTable, frame: String, alias: String, more: (String, String)*): Unit =
    spark.sql(frame).as(alias).write.format("delta").mode("overwrite").options(more.toMap).save(t.path)

  private def ids(t: TestTable): Set[Long] =
    spark.read.format("delta").load(t.path).collect().map(_.getLong(0)).toSet

  test("M2: replaceUsing replaces the rows that have a value in common") {
    val t = table()
    write(t, "SELECT 2L AS id UNION ALL SELECT 3L", "s", "replaceUsing" -> "id")
    assert(ids(t) == Set(1, 2, 3))
  }

  test("M2: replaceOn is resolved against the aliased frame") {
    val t = table()
    write(t, "SELECT 2L AS id", "s", "replaceOn" -> "t.id = s.id", "targetAlias" -> "t")
    assert(ids(t) == Set(1, 2))
  }

  test("M2: a condition over a frame with a projection on top deletes nothing, and is refused by name") {
    val t = table()
    val frame = spark.sql("SELECT 2L AS id").as("s").selectExpr("s.id + 100 AS id")
    val error = intercept[Exception] {
      frame.write.format("delta").mode("overwrite")
        .options(Map("replaceOn" -> "t.id = s.id", "targetAlias" -> "t")).save(t.path)
    }
    assert(error.asInstanceOf[SparkThrowable].getCondition != null)
    assert(ids(t) == Set(1, 2))
  }

  test(
    "M2: every member of the interfaces that the published class has is handed to it, or is about streams") {
    val published = classOf[PublishedDeltaDataSource]
    val ofSpark = published.getInterfaces.filterNot(_.getName.contains(".delta.")).toSet
    assert(ofSpark.filterNot(_.isAssignableFrom(classOf[DeltaDataSource])).isEmpty)
    // Not whether it is declared: for a default that is inherited the compiler declares a method too.
    val members = ofSpark.flatMap(_.getMethods).filterNot(_.getName.contains("$")).map { member =>
      member.getName -> MethodType.methodType(
        classOf[Unit],
        member.getParameterTypes).toMethodDescriptorString
    }
    val publishedName = Type.getInternalName(published)
    val handed = BundleUnderTest.universe.bundle(Type.getInternalName(classOf[DeltaDataSource])).references
      .collect { case MemberReference(`publishedName`, name, descriptor, _, _) =>
        name -> (descriptor.takeWhile(_ != ')') + ")V")
      }
    assert((members -- handed).map(_._1) == Set("sourceSchema", "createSource", "createSink"))
  }

  test("M2: every conf and option that the replaced classes read, ours read too") {
    val replaced = BundleUnderTest.published.values.filter { file =>
      PublishedDataSourceSuite.replaced.contains(file.name.takeWhile(_ != '$').split('/').last)
    }
    val (relocated, ours) = BundleUnderTest.ours.partition { file =>
      file.name.startsWith(Type.getInternalName(classOf[PublishedDeltaDataSource]))
    }
    val left = read(replaced.flatMap(_.references)) -- read(ours.flatMap(_.references))
    val handedOver = PublishedDataSourceSuite.readByPublished.keySet
    assert(handedOver.subsetOf(read(relocated.flatMap(_.references))))
    assert(left == PublishedDataSourceSuite.unread.keySet ++ handedOver)
  }

  test("M7: the columns of a change feed are added to a schema that a managed catalog gives") {
    val known = new StructType().add("id", LongType)
    val managed = Map(
      "io.unitycatalog.tableId" -> "1",
      "delta.feature.catalogManaged" -> "supported",
      "readChangeFeed" -> "true")
    assert(source.sourceSchema(sql, Some(known), "delta", managed) ==
      new PublishedDeltaDataSource().sourceSchema(sql, Some(known), "delta", managed))
  }

  test("D7: what a table may store, and how Spark asks for it, is as published") {
    val published = new PublishedDeltaDataSource
    assert(source.supportsExternalMetadata() == published.supportsExternalMetadata())
    assert(source.addV1OverwriteWithSaveAsTableOption() == published.addV1OverwriteWithSaveAsTableOption())
    source.setCatalogTableOpt(Option.empty[CatalogTable])
  }

  /** The confs by their names in `DeltaSQLConf`, the options by their accessors. */
  private def read(references: Iterable[AnyRef]): Set[String] = references.collect {
    case MemberReference(`confs`, name, _, _, _) if name.head.isUpper && name != "MODULE$" => name
    case MemberReference(owner, name, descriptor, _, _)
        if owner.startsWith(options) && name.head.isLower && descriptor.startsWith("()") => name
  }.toSet
}

object PublishedDataSourceSuite {

  private val replaced = Set(
    "DeltaDataSource",
    "DeltaSource",
    "DeltaSourceBase",
    "DeltaSourceCDCSupport",
    "DeltaSink",
    "DeltaSourceSnapshot")

  /** What the replaced classes read and ours do not, each with the reason. All stand in docs/differences.md. */
  val unread: Map[String, String] = Map(
    "DELTA_STREAMING_SINK_IMPLICIT_CAST_FOR_TYPE_MISMATCH_ONLY" -> "off, more is cast than has to be",
    "DELTA_STREAMING_SINK_IMPLICIT_CAST_ESCAPE_COLUMN_NAMES" -> "off, columns with a dot in their name fail"
  )

  /** What is read for us by the published class, at the name the bundle gives it: by what we hand to it or ask of it. */
  val readByPublished: Map[String, String] = Map(
    "DELTA_STREAMING_ENABLE_SCHEMA_TRACKING" -> "the schema log of a stream is made by its `getMetadataTrackingLogForDeltaSource`",
    "LOAD_FILE_SYSTEM_CONFIGS_FROM_DATAFRAME_OPTIONS" -> "in batch reads and writes; for streams `DeltaLog` takes the options",
    "REPLACE_ON_OPTION_IN_DATAFRAME_WRITER_ENABLED" -> "in batch writes",
    "REPLACE_USING_OPTION_IN_DATAFRAME_WRITER_ENABLED" -> "in batch writes",
    "isReplaceOnOrUsingDefined" -> "in batch writes",
    "replaceOn" -> "in batch writes",
    "replaceUsing" -> "in batch writes"
  )
}
