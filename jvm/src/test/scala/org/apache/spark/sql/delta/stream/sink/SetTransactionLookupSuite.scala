// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.nio.file.Files

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.testing.{SharedSession, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, DeltaOperations, Snapshot}
import org.scalatest.funsuite.AnyFunSuite

class SetTransactionLookupSuite extends AnyFunSuite with SharedSession {

  /** A table with one commit for each query and batch, from version 1 on. */
  private def tableOf(transactions: (String, Long)*): TestTable = {
    val table = TestTable().create()
    transactions.foreach { case (query, batch) => commit(table, query, batch) }
    table
  }

  private def commit(table: TestTable, query: String, batch: Long): Unit = {
    val _ = table.log.startTransaction(None).commit(
      Seq(SetTransaction(query, batch, Some(batch))),
      DeltaOperations.ManualUpdate)
  }

  /** The table's current snapshot, as a new process reads it. */
  private def fresh(table: TestTable): Snapshot = {
    DeltaLog.clearCache()
    table.log.update()
  }

  private def withoutChecksums(table: TestTable): Snapshot = {
    for (version <- 0L to table.version) Files.deleteIfExists(checksum(table, version))
    fresh(table)
  }

  private def checksum(table: TestTable, version: Long) =
    table.commitFile(version).resolveSibling(f"$version%020d.crc")

  private def lookupOf(table: TestTable): SetTransactionLookup =
    new SetTransactionLookup("mine", table.log, None)

  private def batch(
      lookup: SetTransactionLookup,
      snapshot: Snapshot,
      cached: Option[SetTransactionLookup.Cached] = None): Option[Long] =
    lookup.find(snapshot, cached).map(_.version)

  /** What the query `mine` caches for a version at which its last batch was this one. */
  private def cachedAt(version: Long, snapshot: Snapshot, batch: Long): Option[SetTransactionLookup.Cached] =
    SetTransactionLookup.Cached.of(version, snapshot, Some(SetTransaction("mine", batch, None)))

  test("this query's SetTransaction is read from the checksum file of the version") {
    val snapshot = fresh(tableOf("mine" -> 3, "other" -> 8))
    assert(batch(new SetTransactionLookup("mine", snapshot.deltaLog, None), snapshot).contains(3L))
    assert(batch(new SetTransactionLookup("nobody's", snapshot.deltaLog, None), snapshot).isEmpty)
    assert(!snapshot.stateReconstructionTriggered)
  }

  test("without a checksum file the table's state is read") {
    val table = tableOf("mine" -> 3, "other" -> 8)
    val snapshot = withoutChecksums(table)
    assert(batch(lookupOf(table), snapshot).contains(3L))
    assert(snapshot.stateReconstructionTriggered)
  }

  test("the SetTransaction cached for an earlier version and the commits since are enough") {
    val table = tableOf("mine" -> 3)
    val lookup = lookupOf(table)
    val cached = cachedAt(1, withoutChecksums(table), batch = 3)
    commit(table, "other", 9)
    val earlier = withoutChecksums(table)
    assert(batch(lookup, earlier, cached).contains(3L))
    commit(table, "mine", 4)
    commit(table, "other", 10)
    val snapshot = withoutChecksums(table)
    assert(batch(lookup, snapshot, cached).contains(4L))
    assert(!earlier.stateReconstructionTriggered && !snapshot.stateReconstructionTriggered)
  }

  test("a SetTransaction in a later commit wins over the cached one") {
    val table = tableOf("mine" -> 3, "mine" -> 4)
    val lookup = lookupOf(table)
    val cached = cachedAt(1, withoutChecksums(table), batch = 3)
    val snapshot = withoutChecksums(table)
    assert(batch(lookup, snapshot, cached).contains(4L))
    assert(!snapshot.stateReconstructionTriggered)
  }

  test("the cache is not used if the commit of its version is a different file now") {
    val table = tableOf("mine" -> 3)
    val lookup = lookupOf(table)
    val cached = cachedAt(1, withoutChecksums(table), batch = 7)
    commit(table, "other", 9)
    table.writeCommit(1, s"""{"txn":{"appId":"mine","version":5}}""")
    assert(batch(lookup, withoutChecksums(table), cached).contains(5L))
  }

  test("with very many commits since the cached version the table's state is read") {
    val table = tableOf("mine" -> 3)
    val lookup = lookupOf(table)
    val cached = cachedAt(1, withoutChecksums(table), batch = 3)
    for (version <- 2 to 120) table.writeCommit(version.toLong, """{"txn":{"appId":"other","version":5}}""")
    val snapshot = withoutChecksums(table)
    assert(batch(lookup, snapshot, cached).contains(3L))
    assert(snapshot.stateReconstructionTriggered)
  }

  test("a checksum file without the cached SetTransaction is not trusted") {
    val table = tableOf("mine" -> 3)
    val lookup = lookupOf(table)
    val cached = cachedAt(1, fresh(table), batch = 3)
    commit(table, "other", 9)
    val file = checksum(table, 2)
    val text = Files.readString(file)
    val incomplete = text.replaceAll("\"appId\":\"mine\"", "\"appId\":\"nobody\"")
    assert(incomplete != text)
    Files.writeString(file, incomplete)
    Files.delete(file.resolveSibling(s".${file.getFileName}.crc"))
    val snapshot = fresh(table)
    assert(batch(lookup, snapshot, cached).contains(3L))
  }

  test("M18: the state is read from a fresh listing if its checkpoint is gone") {
    val table = tableOf("mine" -> 3, "other" -> 8).checkpoint()
    commit(table, "other", 9)
    val snapshot = withoutChecksums(table)
    Files.delete(table.commitFile(2).resolveSibling(f"${2}%020d.checkpoint.parquet"))
    assert(batch(lookupOf(table), snapshot).contains(3L))
  }
}
