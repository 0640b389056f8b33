// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.lang.invoke.MethodType
import java.lang.reflect.{Method, Modifier}

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.types.{LongType, StructType}

import io.github.deltasource.bundle.{BundleUnderTest, MemberReference}
import org.apache.spark.sql.delta.testing.TestTable
import org.apache.xbean.asm9.Type
import org.scalatest.funsuite.AnyFunSuite

/** All but streams is delegated to the published data source; streams read all confs that it reads. */
class UpstreamDataSourceSuite extends AnyFunSuite with DeltaDataSourceFixture {
  private val sources = "org/apache/spark/sql/delta/sources"
  private val confs = s"$sources/DeltaSQLConf$$"
  private val options = "org/apache/spark/sql/delta/DeltaOptions"

  private def write(t: TestTable, frame: String, alias: String, more: (String, String)*): Unit =
    spark.sql(frame).as(alias).write.format("delta").mode("overwrite").options(more.toMap).save(t.path)

  private def ids(t: TestTable): Set[Long] =
    spark.read.format("delta").load(t.path).collect().map(_.getLong(0)).toSet

  test("M2: replaceUsing replaces the rows with the same value") {
    val t = table()
    write(t, "SELECT 2L AS id UNION ALL SELECT 3L", "s", "replaceUsing" -> "id")
    assert(ids(t) == Set(1, 2, 3))
  }

  test("M2: replaceOn is resolved against the aliased frame") {
    val t = table()
    write(t, "SELECT 2L AS id", "s", "replaceOn" -> "t.id = s.id", "targetAlias" -> "t")
    assert(ids(t) == Set(1, 2))
  }

  test("M2: a replaceOn condition on a frame with a projection on top is refused, and deletes nothing") {
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
    "M2: every member of the published class's interfaces is delegated to it, or is about streams") {
    val published = classOf[UpstreamDeltaDataSource]
    val ofSpark = published.getInterfaces.filterNot(_.getName.contains(".delta.")).toSet
    assert(ofSpark.filterNot(_.isAssignableFrom(classOf[DeltaDataSource])).isEmpty)
    // A declared method is no proof: the compiler also declares one for an inherited default.
    val members = ofSpark.flatMap(_.getMethods).filter(isInstance).map { member =>
      member.getName -> MethodType.methodType(
        classOf[Unit],
        member.getParameterTypes).toMethodDescriptorString
    }
    val publishedName = Type.getInternalName(published)
    val delegated = BundleUnderTest.universe.bundle(Type.getInternalName(classOf[DeltaDataSource])).references
      .collect { case MemberReference(`publishedName`, name, descriptor, _, _) =>
        name -> (descriptor.takeWhile(_ != ')') + ")V")
      }
    assert((members -- delegated).map(_._1) == Set("sourceSchema", "createSource", "createSink"))
  }

  private def isInstance(method: Method): Boolean =
    !Modifier.isStatic(method.getModifiers) && !method.getName.contains("$")

  test("M2: every conf and option that the replaced classes read is read by ours") {
    val replaced = BundleUnderTest.published.values.filter { file =>
      UpstreamDataSourceSuite.replaced.contains(file.name.takeWhile(_ != '$').split('/').last)
    }
    val (relocated, ours) = BundleUnderTest.ours.partition { file =>
      file.name.startsWith(Type.getInternalName(classOf[UpstreamDeltaDataSource]))
    }
    val left = read(replaced.flatMap(_.references)) -- read(ours.flatMap(_.references))
    val handedOver = UpstreamDataSourceSuite.readByPublished.keySet
    assert(handedOver.subsetOf(read(relocated.flatMap(_.references))))
    assert(left == UpstreamDataSourceSuite.unread.keySet ++ handedOver)
  }

  test("M7: the change feed columns are added to the schema given for a catalog-managed table") {
    val columns = new StructType().add("id", LongType)
    val managed = Map(
      "io.unitycatalog.tableId" -> "1",
      "delta.feature.catalogManaged" -> "supported",
      "readChangeFeed" -> "true")
    assert(source.sourceSchema(sql, Some(columns), "delta", managed) ==
      new UpstreamDeltaDataSource().sourceSchema(sql, Some(columns), "delta", managed))
  }

  test("D7: supportsExternalMetadata and addV1OverwriteWithSaveAsTableOption are as published") {
    val published = new UpstreamDeltaDataSource
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

object UpstreamDataSourceSuite {

  private val replaced = Set(
    "DeltaDataSource",
    "DeltaSource",
    "DeltaSourceBase",
    "DeltaSourceCDCSupport",
    "DeltaSink",
    "DeltaSourceSnapshot")

  /** What the replaced classes read and ours do not, each with the reason. All are in differences.md. */
  val unread: Map[String, String] = Map(
    "DELTA_STREAMING_SINK_IMPLICIT_CAST_FOR_TYPE_MISMATCH_ONLY" -> "if off, more is cast than necessary",
    "DELTA_STREAMING_SINK_IMPLICIT_CAST_ESCAPE_COLUMN_NAMES" -> "if off, columns with a dot in their name fail"
  )

  /** What the published class, under its name in the bundle, reads in the calls that we delegate to it. */
  val readByPublished: Map[String, String] = Map(
    "DELTA_STREAMING_ENABLE_SCHEMA_TRACKING" -> "its `getMetadataTrackingLogForDeltaSource` opens the schema log of a stream",
    "LOAD_FILE_SYSTEM_CONFIGS_FROM_DATAFRAME_OPTIONS" -> "in batch reads and writes; for streams `DeltaLog` takes the options",
    "REPLACE_ON_OPTION_IN_DATAFRAME_WRITER_ENABLED" -> "in batch writes",
    "REPLACE_USING_OPTION_IN_DATAFRAME_WRITER_ENABLED" -> "in batch writes",
    "isReplaceOnOrUsingDefined" -> "in batch writes",
    "replaceOn" -> "in batch writes",
    "replaceUsing" -> "in batch writes"
  )
}
