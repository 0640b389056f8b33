// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import org.apache.spark.sql.delta.commands.cdc.CDCReader

/** What of a batch read's options its table gets to see. */
private[sources] object RelationOptions {
  import DeltaDataSource._

  private val changeFeedKeys = Seq(
    CDC_ENABLED_KEY,
    CDC_START_VERSION_KEY,
    CDC_START_TIMESTAMP_KEY,
    CDC_END_VERSION_KEY,
    CDC_END_TIMESTAMP_KEY)

  def of(spark: SparkSession, parameters: Map[String, String]): Map[String, String] =
    fileSystem(spark, parameters) ++ changeFeed(parameters)

  /** Whether the change feed is asked for, under its name or its older one. */
  def isChangeFeed(parameters: Map[String, String]): Boolean =
    CDCReader.isCDCRead(new CaseInsensitiveStringMap(parameters.asJava))

  private def changeFeed(parameters: Map[String, String]): Map[String, String] = {
    val options = CaseInsensitiveMap(parameters)
    if (isChangeFeed(parameters))
      changeFeedKeys.flatMap(key => options.get(key).map(key -> _)).toMap + (CDC_ENABLED_KEY -> "true")
    else Map.empty
  }

  private def fileSystem(spark: SparkSession, parameters: Map[String, String]): Map[String, String] =
    if (spark.sessionState.conf.getConf(DeltaSQLConf.LOAD_FILE_SYSTEM_CONFIGS_FROM_DATAFRAME_OPTIONS))
      parameters
    else Map.empty
}
