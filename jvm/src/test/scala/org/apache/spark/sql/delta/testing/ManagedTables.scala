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

/** Tables whose commits a catalog knows before they are files of the log. */
trait ManagedTables extends Suite with BeforeAndAfterAll with SharedSession {

  private val asked = new AtomicInteger

  /** How often the catalog is asked meanwhile for the commits it knows. */
  protected def catalogCalls(body: => Any): Int = {
    val before = asked.get
    val _ = body
    asked.get - before
  }

  override def beforeAll(): Unit = {
    super.beforeAll()
    CatalogOwnedCommitCoordinatorProvider.clearBuilders()
    CatalogOwnedCommitCoordinatorProvider.registerBuilder("spark_catalog", new ManagedTables.Builder(asked))
  }

  override def afterAll(): Unit = {
    CatalogOwnedCommitCoordinatorProvider.clearBuilders()
    super.afterAll()
  }

  /** Delta creates no such table itself: this one becomes the catalog's by a commit. */
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

    /** From this version on the catalog says what is committed. */
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

    /** Whether the commit of a version is a file of the log by now. */
    def published(version: Long): Boolean = Files.exists(folder.commitFile(version))
  }
}

object ManagedTables {

  private final class Builder(asked: AtomicInteger) extends CatalogOwnedCommitCoordinatorBuilder {
    private val coordinator: CommitCoordinatorClient = new Coordinator(asked)

    override def getName: String = "counting"

    override def build(spark: SparkSession, conf: Map[String, String]): CommitCoordinatorClient = coordinator

    override def buildForCatalog(spark: SparkSession, catalog: String): CommitCoordinatorClient = coordinator
  }

  /** Publishes every fourth commit, and with it those before. */
  private final class Coordinator(asked: AtomicInteger) extends InMemoryCommitCoordinator(4) {

    override def getCommits(
        table: TableDescriptor,
        from: java.lang.Long,
        until: java.lang.Long
    ): GetCommitsResponse = {
      asked.incrementAndGet()
      super.getCommits(table, from, until)
    }
  }
}
