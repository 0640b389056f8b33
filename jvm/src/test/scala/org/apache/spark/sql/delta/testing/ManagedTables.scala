// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.nio.file.Files
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.CatalogTable

import io.delta.storage.commit.{CommitCoordinatorClient, GetCommitsResponse, TableDescriptor}
import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.coordinatedcommits.{
  CatalogOwnedCommitCoordinatorBuilder,
  CatalogOwnedCommitCoordinatorProvider,
  InMemoryCommitCoordinator
}
import org.scalatest.{BeforeAndAfterAll, Suite}

/** Catalog-managed tables, whose commits are staged before they are published to the log. */
trait ManagedTables extends Suite with BeforeAndAfterAll with SharedSession {

  private val calls = new AtomicInteger

  /** How often the catalog is called for its commits during the body. */
  protected def catalogCalls(body: => Any): Int = {
    val before = calls.get
    val _ = body
    calls.get - before
  }

  override def beforeAll(): Unit = {
    super.beforeAll()
    CatalogOwnedCommitCoordinatorProvider.clearBuilders()
    CatalogOwnedCommitCoordinatorProvider.registerBuilder("spark_catalog", new ManagedTables.Builder(calls))
  }

  override def afterAll(): Unit = {
    CatalogOwnedCommitCoordinatorProvider.clearBuilders()
    super.afterAll()
  }

  /** Delta does not create such a table itself: `manage` makes this one catalog-managed with a commit. */
  protected class ManagedTable(name: String) {
    val folder: TestTable = TestTable().create(
      "id LONG",
      "TBLPROPERTIES ('delta.enableInCommitTimestamps' = 'true', " +
        // So that no checksum file lists the transactions of a version.
        "'delta.setTransactionRetentionDuration' = 'interval 1 day')"
    )
    spark.sql(s"CREATE TABLE $name USING delta LOCATION '${folder.path}'")

    val catalogTable: CatalogTable = spark.sessionState.catalog.getTableMetadata(TableIdentifier(name))

    def log: DeltaLog = DeltaLog.forTable(spark, catalogTable)

    /** Makes the table catalog-managed, with a commit of this version. */
    def manage(version: Long): Unit = {
      folder.writeCommit(
        version,
        """{"commitInfo":{"inCommitTimestamp":1900000000000,"timestamp":1,"operation":"UPGRADE","operationParameters":{}}}""",
        """{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["catalogManaged","vacuumProtocolCheck"],""" +
          """"writerFeatures":["catalogManaged","vacuumProtocolCheck","inCommitTimestamp","appendOnly","invariants"]}}"""
      )
      DeltaLog.clearCache()
    }

    def append(ids: Long*): Unit = ids.foreach(id => spark.sql(s"INSERT INTO $name VALUES ($id)"))

    /** Whether the commit of a version is published. */
    def published(version: Long): Boolean = Files.exists(folder.commitFile(version))
  }
}

object ManagedTables {

  private final class Builder(calls: AtomicInteger) extends CatalogOwnedCommitCoordinatorBuilder {
    private val coordinator: CommitCoordinatorClient = new Coordinator(calls)

    override def getName: String = "counting"

    override def build(spark: SparkSession, conf: Map[String, String]): CommitCoordinatorClient = coordinator

    override def buildForCatalog(spark: SparkSession, catalog: String): CommitCoordinatorClient = coordinator
  }

  /** Publishes staged commits at every fourth commit. */
  private final class Coordinator(calls: AtomicInteger) extends InMemoryCommitCoordinator(4) {

    override def getCommits(
        table: TableDescriptor,
        from: java.lang.Long,
        until: java.lang.Long
    ): GetCommitsResponse = {
      calls.incrementAndGet()
      super.getCommits(table, from, until)
    }
  }
}
