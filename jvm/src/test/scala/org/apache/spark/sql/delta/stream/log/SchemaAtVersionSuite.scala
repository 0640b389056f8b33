// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.nio.file.Files

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.stream.model.TableSchema
import org.apache.spark.sql.delta.testing.{CountingFileSystem, SharedSession, TestTable}
import org.scalatest.funsuite.AnyFunSuite

class SchemaAtVersionSuite extends AnyFunSuite with SharedSession {

  private def table(): TestTable = TestTable().create().append(1L to 2L).append(3L to 4L)

  /** What Delta says, and what is said here, and with how many listings; of a failure its class. */
  private def both(table: TestTable, version: Long): (Either[String, TableSchema], Int) =
    withConf(CountingFileSystem.confs: _*) {
      DeltaLog.clearCache()
      def said(schema: => TableSchema) = Try(schema).toEither.left.map(_.getClass.getName)
      val delta = said {
        val snapshot = table.log.getSnapshotAt(version)
        TableSchema(snapshot.metadata, snapshot.protocol)
      }
      var ours = delta
      val listings = CountingFileSystem.listings { ours = said(SchemaAtVersion.at(table.log, None, version)) }
      assert(ours == delta)
      (ours, listings)
    }

  test("the first version is asked itself, others of Delta") {
    val t = table()
    val (first, listings) = both(t, 0)
    assert(first.exists(_.metadata.schema.fieldNames.toSeq == Seq("id")) && listings == 0)
    assert(both(t, 1)._2 == 2)
  }

  private val noise = """{"txn":{"appId":"a","version":1}}"""

  for ((name, lines, listed) <- Seq[(String, Vector[String] => Vector[String], Boolean)](
      ("in another order", _.reverse, false),
      ("behind other actions", Vector.fill(5)(noise) ++ _, false),
      ("behind many other actions", Vector.fill(50)(noise) ++ _, true),
      ("without a protocol", _.filterNot(_.contains("\"protocol\"")), true),
      ("behind a line that is no action", "{" +: _, true),
      ("of no lines", _ => Vector.empty, true)
    ))
    test(s"a first version $name says what Delta says of it") {
      val t = table()
      val written = Files.readAllLines(t.commitFile(0)).asScala.toVector
      t.writeCommit(0, lines(written): _*)
      assert((both(t, 0)._2 > 0) == listed)
    }

  test("a first version that is gone is asked of Delta") {
    val t = table()
    Files.delete(t.commitFile(0))
    assert(both(t, 0)._1.isLeft)
  }
}
