// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.nio.file.Files

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.testing.{SharedSession, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, DeltaOperations, Snapshot}
import org.scalatest.funsuite.AnyFunSuite

class SetTransactionLookupSuite extends AnyFunSuite with SharedSession {

  /** A table whose commits of these queries have these batches, version by version from 1 on. */
  private def tableOf(markers: (String, Long)*): TestTable = {
    val table = TestTable().create()
    markers.foreach { case (query, batch) => commit(table, query, batch) }
    table
  }

  private def commit(table: TestTable, query: String, batch: Long): Unit = {
    val _ = table.log.startTransaction(None).commit(
      Seq(SetTransaction(query, batch, Some(batch))),
      DeltaOperations.ManualUpdate)
  }

  /** The table of now, as a new process would see it. */
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

  private def markersOf(table: TestTable): SetTransactionLookup =
    new SetTransactionLookup("mine", table.log, None)

  private def batch(markers: SetTransactionLookup, snapshot: Snapshot): Option[Long] =
    markers.find(snapshot).map(_.version)

  test("the checksum file of the version tells, and of this query only") {
    val snapshot = fresh(tableOf("mine" -> 3, "other" -> 8))
    assert(batch(new SetTransactionLookup("mine", snapshot.deltaLog, None), snapshot).contains(3L))
    assert(batch(new SetTransactionLookup("nobody's", snapshot.deltaLog, None), snapshot).isEmpty)
    assert(!snapshot.stateReconstructionTriggered)
  }

  test("without one the state tells") {
    val table = tableOf("mine" -> 3, "other" -> 8)
    val snapshot = withoutChecksums(table)
    assert(batch(markersOf(table), snapshot).contains(3L))
    assert(snapshot.stateReconstructionTriggered)
  }

  test("what was known of a version, and the commits since, tell") {
    val table = tableOf("mine" -> 3)
    val markers = markersOf(table)
    markers.cache(1, withoutChecksums(table), Some(SetTransaction("mine", 3, None)))
    commit(table, "other", 9)
    val without = withoutChecksums(table)
    assert(batch(markers, without).contains(3L))
    commit(table, "mine", 4)
    commit(table, "other", 10)
    val snapshot = withoutChecksums(table)
    assert(batch(markers, snapshot).contains(4L))
    assert(!without.stateReconstructionTriggered && !snapshot.stateReconstructionTriggered)
  }

  test("what is known of a version is not taken for what a later one has") {
    val table = tableOf("mine" -> 3, "mine" -> 4)
    val markers = markersOf(table)
    markers.cache(1, withoutChecksums(table), Some(SetTransaction("mine", 3, None)))
    val snapshot = withoutChecksums(table)
    assert(batch(markers, snapshot).contains(4L))
    assert(!snapshot.stateReconstructionTriggered)
  }

  test("what was known of a version whose commit is another file now is forgotten") {
    val table = tableOf("mine" -> 3)
    val markers = markersOf(table)
    markers.cache(1, withoutChecksums(table), Some(SetTransaction("mine", 7, None)))
    commit(table, "other", 9)
    table.writeCommit(1, s"""{"txn":{"appId":"mine","version":5}}""")
    assert(batch(markers, withoutChecksums(table)).contains(5L))
  }

  test("a table with very many commits since is asked for its state") {
    val table = tableOf("mine" -> 3)
    val markers = markersOf(table)
    markers.cache(1, withoutChecksums(table), Some(SetTransaction("mine", 3, None)))
    for (version <- 2 to 120) table.writeCommit(version.toLong, """{"txn":{"appId":"other","version":5}}""")
    val snapshot = withoutChecksums(table)
    assert(batch(markers, snapshot).contains(3L))
    assert(snapshot.stateReconstructionTriggered)
  }

  test("a checksum file that has forgotten a marker is not believed") {
    val table = tableOf("mine" -> 3)
    val markers = markersOf(table)
    markers.cache(1, fresh(table), Some(SetTransaction("mine", 3, None)))
    commit(table, "other", 9)
    val file = checksum(table, 2)
    val told = Files.readString(file)
    val forgetful = told.replaceAll("\"appId\":\"mine\"", "\"appId\":\"nobody\"")
    assert(forgetful != told)
    Files.writeString(file, forgetful)
    Files.delete(file.resolveSibling(s".${file.getFileName}.crc"))
    val snapshot = fresh(table)
    assert(batch(markers, snapshot).contains(3L))
  }

  test("M18: the state is read from a fresh listing if its checkpoint is gone") {
    val table = tableOf("mine" -> 3, "other" -> 8).checkpoint()
    commit(table, "other", 9)
    val snapshot = withoutChecksums(table)
    Files.delete(table.commitFile(2).resolveSibling(f"${2}%020d.checkpoint.parquet"))
    assert(batch(markersOf(table), snapshot).contains(3L))
  }
}
