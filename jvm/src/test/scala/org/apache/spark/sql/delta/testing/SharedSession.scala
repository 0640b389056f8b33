// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.nio.file.Files

import org.apache.spark.sql.SparkSession

/** The one session of a test run. */
object SharedSession {
  lazy val spark: SparkSession = {
    val folder = Files.createTempDirectory("deltasource-session")
    SparkSession
      .builder()
      .master("local[2]")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri.toString)
      .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
      .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
      .config("spark.databricks.delta.snapshotPartitions", "2")
      // The tasks of a VACUUM: 10,000 by default, which take a minute.
      .config("spark.sql.sources.parallelPartitionDiscovery.parallelism", "2")
      .config("spark.databricks.delta.log.cacheSize", "20")
      // Queries are interpreted: they read a few rows, and generating their code took half of the time of the tests. The
      // Python tests run compiled queries.
      .config("spark.sql.codegen.wholeStage", "false")
      .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
      .getOrCreate()
  }
}

/** For suites that test Spark integration, or Delta on Spark. */
trait SharedSession {
  protected def spark: SparkSession = SharedSession.spark

  /** Sets confs for the body only. */
  protected def withConf[T](confs: (String, String)*)(body: => T): T = {
    val before = confs.map { case (key, _) => key -> spark.conf.getOption(key) }
    confs.foreach { case (key, value) => spark.conf.set(key, value) }
    try body
    finally
      before.foreach {
        case (key, Some(value)) => spark.conf.set(key, value)
        case (key, None) => spark.conf.unset(key)
      }
  }
}
