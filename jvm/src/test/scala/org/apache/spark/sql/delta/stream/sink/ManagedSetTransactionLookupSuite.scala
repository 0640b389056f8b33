// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.testing.ManagedTables
import org.scalatest.funsuite.AnyFunSuite

class ManagedSetTransactionLookupSuite extends AnyFunSuite with ManagedTables {

  test("M13: a catalog-managed target may have fewer versions than the cached one") {
    val table = new ManagedTable("recreated")
    table.manage(1)
    table.append(1, 2, 3)
    val newest = table.log.update(catalogTableOpt = Some(table.catalogTable))
    val older = table.log.getSnapshotAt(2, catalogTableOpt = Some(table.catalogTable))
    assert(newest.version == 4 && older.version == 2)
    val lookup = new SetTransactionLookup("mine", table.log, Some(table.catalogTable))
    val cached = SetTransactionLookup.Cached.of(4, newest, Some(SetTransaction("mine", 3, None)))
    assert(cached.nonEmpty && lookup.find(older, cached).isEmpty)
  }
}
