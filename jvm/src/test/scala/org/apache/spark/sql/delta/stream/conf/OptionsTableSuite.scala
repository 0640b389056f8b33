// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import scala.jdk.CollectionConverters._

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.sql.internal.SQLConf

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.sources.DeltaDataSource
import org.scalatest.funsuite.AnyFunSuite

/** Compares the options table in the jar with the code: a name or default that only one of them has fails. */
class OptionsTableSuite extends AnyFunSuite {
  import OptionsTableSuite._

  test("every option of Delta and of the source has a row, except those of other writers and Spark") {
    val named = constants(DeltaOptions) ++ constants(DeltaDataSource)
    val known = (named ++ DeltaOptions.validOptionKeys).toSet
    assert((otherOptions -- known).isEmpty)
    assert(rows("reader", "functions", "writer").map(name).sorted == (known -- otherOptions).toSeq.sorted)
  }

  test("the defaults of a reader are its values without any option") {
    val none = new DeltaOptions(Map.empty[String, String], new SQLConf)
    val flags = Map(
      DeltaOptions.IGNORE_DELETES_OPTION -> none.ignoreDeletes,
      DeltaOptions.IGNORE_CHANGES_OPTION -> none.ignoreChanges,
      DeltaOptions.IGNORE_FILE_DELETION_OPTION -> none.ignoreFileDeletion,
      DeltaOptions.SKIP_CHANGE_COMMITS_OPTION -> none.skipChangeCommits,
      DeltaOptions.FAIL_ON_DATA_LOSS_OPTION -> none.failOnDataLoss,
      DeltaOptions.CDC_READ_OPTION -> none.readChangeFeed,
      DeltaOptions.CDC_READ_OPTION_LEGACY -> none.readChangeFeed
    )
    val (boolean, others) = rows("reader", "functions").partition(_.get("type").asText == "flag")
    assert(boolean.map(row => name(row) -> row.get("default").booleanValue).toMap == flags)
    assert(
      others.filterNot(_.get("default").isNull).map(row => name(row) -> row.get("default").intValue) ==
        Seq(DeltaOptions.MAX_FILES_PER_TRIGGER_OPTION -> DeltaOptions.MAX_FILES_PER_TRIGGER_OPTION_DEFAULT)
    )
  }

  test("every session conf of ours has a row, with its text and its default") {
    val documented = rows("confs").map(row => (name(row), row.get("meaning").asText))
    assert(documented.toMap == entries.map { case (key, entry) => key -> entry.doc })
    for (row <- rows("confs"); entry = entries(name(row)))
      assert(entry.defaultValue.contains(entry.valueConverter(row.get("default").asText)), entry.key)
  }

  test("a session conf accepts the least value of its row, and none below it") {
    val bounded = rows("confs").filter(_.has("least"))
    assert(bounded.nonEmpty)
    for (row <- bounded; entry = entries(name(row)); least = row.get("least").longValue) {
      assert(entry.valueConverter(least.toString) == least)
      intercept[IllegalArgumentException](entry.valueConverter((least - 1).toString))
    }
  }
}

object OptionsTableSuite {
  private lazy val table =
    new ObjectMapper().readTree(getClass.getResourceAsStream("/META-INF/deltasource/options.json"))

  /** Options of Spark, of Delta's batch and file writers, and internal ones of Delta. */
  private val otherOptions = Set(
    "__replace_using_table_alias__",
    "__time_travel_source__",
    "__v1_save_as_table_overwrite",
    "DYNAMIC",
    "STATIC",
    "checkpointLocation",
    "compression",
    "dataChange",
    "maxRecordsPerFile",
    "optimizeWrite",
    "parquet.writer.version",
    "partitionOverwriteMode",
    "path",
    "queryName",
    "replaceOn",
    "replaceUsing",
    "replaceWhere",
    "spark.sql.parquet.outputTimestampType",
    "targetAlias",
    "txnAppId",
    "txnVersion",
    "useNullIntolerantEqualityWithDPO",
    "writePartitionColumns"
  )

  private def rows(sections: String*): Seq[JsonNode] = sections.flatMap(table.get(_).asScala)

  private def name(row: JsonNode): String = row.get("name").asText

  private val entries: Map[String, ConfigEntry[_]] =
    Seq[AnyRef](StreamConf, SinkConf)
      .flatMap { confs =>
        val found = confs.getClass.getMethods.toSeq.filter(_.getReturnType == classOf[ConfigEntry[_]])
        found.map(_.invoke(confs).asInstanceOf[ConfigEntry[_]])
      }
      .map(entry => entry.key -> entry)
      .toMap

  /** The values of the string constants of an object. */
  private def constants(of: AnyRef): Seq[String] =
    of.getClass.getMethods.toSeq
      .filter(m =>
        m.getReturnType == classOf[String] && m.getParameterCount == 0 && m.getName.matches("[A-Z0-9_]+"))
      .map(_.invoke(of).asInstanceOf[String])
}
