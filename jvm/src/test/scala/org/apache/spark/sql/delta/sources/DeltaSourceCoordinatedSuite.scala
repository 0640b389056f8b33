// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files

import org.apache.spark.sql.catalyst.TableIdentifier

import org.apache.spark.sql.delta.coordinatedcommits.{
  CatalogOwnedCommitCoordinatorProvider,
  InMemoryCommitCoordinatorBuilder
}
import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, DeltaOptions}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** Tables whose commits a catalog knows before they are files of the log. */
class DeltaSourceCoordinatedSuite extends AnyFunSuite with SourceFixture with BeforeAndAfterAll {
  private val catalog = "spark_catalog"

  override def beforeAll(): Unit = {
    super.beforeAll()
    CatalogOwnedCommitCoordinatorProvider.clearBuilders()
    CatalogOwnedCommitCoordinatorProvider.registerBuilder(
      catalog,
      InMemoryCommitCoordinatorBuilder(batchSize = 4))
  }

  override def afterAll(): Unit = {
    CatalogOwnedCommitCoordinatorProvider.clearBuilders()
    super.afterAll()
  }

  /** Delta makes no such table itself: this one becomes the catalog's by its second commit. */
  private final class Managed(name: String, options: (String, String)*) {
    private val folder =
      TestTable().create("id LONG", "TBLPROPERTIES ('delta.enableInCommitTimestamps' = 'true')")
    spark.sql(s"CREATE TABLE $name USING delta LOCATION '${folder.path}'")
    folder.writeCommit(
      1,
      """{"commitInfo":{"inCommitTimestamp":1900000000000,"timestamp":1,"operation":"UPGRADE","operationParameters":{}}}""",
      """{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["catalogManaged","vacuumProtocolCheck"],""" +
        """"writerFeatures":["catalogManaged","vacuumProtocolCheck","inCommitTimestamp","appendOnly","invariants"]}}"""
    )
    DeltaLog.clearCache()
    private val table = spark.sessionState.catalog.getTableMetadata(TableIdentifier(name))
    private val log = DeltaLog.forTable(spark, table)

    def append(ids: Long*): Managed = {
      ids.foreach(id => spark.sql(s"INSERT INTO $name VALUES ($id)"))
      this
    }

    def source(): DeltaSource = {
      val read = new DeltaOptions(options.toMap, spark.sessionState.conf)
      val snapshot = log.update(catalogTableOpt = Some(table))
      DeltaSource(spark, log, Some(table), read, snapshot, folder.checkpointFolder() + "/sources/0")
    }

    /** Whether the commit of a version is a file of the log by now. */
    def published(version: Long): Boolean = Files.exists(folder.commitFile(version))
  }

  test("commits that are staged are read, and each once when they are published later") {
    val t = new Managed("staged", "startingVersion" -> "1").append(1, 2)
    val source = t.source()
    val first = latest(source)
    assert(rows(source.getBatch(None, first)) == Seq(1, 2) && !t.published(3))
    t.append(3, 4, 5)
    assert(t.published(3))
    val second = latest(source, first)
    assert(rows(source.getBatch(Some(first), second)) == Seq(3, 4, 5) && latest(source, second) == second)
  }

  test("a batch planned from a staged commit is read after its publication") {
    val t = new Managed("planned", "startingVersion" -> "1").append(1)
    val source = t.source()
    val end = latest(source)
    t.append(2, 3, 4)
    assert(t.published(2) && rows(source.getBatch(None, end)) == Seq(1))
    assert(rows(t.source().getBatch(None, end)) == Seq(1))
  }

  test("the initial snapshot holds what is staged") {
    assert(batches(new Managed("held").append(1, 2).source()).flatMap(_._1).sorted == Seq(1, 2))
  }
}
