// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.execution.streaming.runtime.StreamingRelation
import org.apache.spark.sql.streaming.Trigger

import org.apache.spark.sql.delta.testing.{SharedSession, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** Tables with the properties that Unity Catalog sets on tables it manages. */
class DeltaSourceManagedTableSuite extends AnyFunSuite with SharedSession {
  private val mode = "spark.databricks.delta.v2.enableMode"

  private def withManagedTable[T](body: (String, TestTable) => T): T = {
    val t = TestTable().create().append(Seq(1, 2))
    val name = "deltasource_managed"
    spark.sql(s"CREATE TABLE $name USING delta LOCATION '${t.path}'")
    try {
      val catalog = castToImpl(spark).sessionState.catalog
      val table = catalog.getTableMetadata(TableIdentifier(name))
      val managed = Map("io.unitycatalog.tableId" -> "1", "delta.feature.catalogManaged" -> "supported")
      catalog.alterTable(table.copy(storage =
        table.storage.copy(properties = table.storage.properties ++ managed)))
      body(name, t)
    } finally {
      val _ = spark.sql(s"DROP TABLE $name")
    }
  }

  test("M4: by default a stream of a managed table uses Delta's V2 connector, as in delta-spark") {
    withManagedTable { (name, _) =>
      // That connector needs a Unity Catalog server, and none is configured for this catalog.
      val error =
        intercept[IllegalArgumentException](castToImpl(spark.readStream.table(name)).queryExecution.analyzed)
      assert(error.getMessage.contains("Cannot create UC client"))
    }
  }

  test("M4: with the mode NONE a stream of a managed table uses our source") {
    withConf(mode -> "NONE") {
      withManagedTable { (name, t) =>
        val frame = spark.readStream.table(name)
        val plan = castToImpl(frame).queryExecution.analyzed
        assert(plan.collectFirst { case relation: StreamingRelation => relation }.nonEmpty)
        val query = frame.writeStream.format("noop").trigger(Trigger.AvailableNow())
          .option("checkpointLocation", t.checkpointFolder()).start()
        query.awaitTermination()
        assert(!query.lastProgress.sources.head.metrics.isEmpty)
        assert(query.recentProgress.map(_.numInputRows).sum == 2)
      }
    }
  }
}
