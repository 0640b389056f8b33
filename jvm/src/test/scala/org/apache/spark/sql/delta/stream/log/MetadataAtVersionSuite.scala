// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.nio.file.Files

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.stream.model.MetadataAndProtocol
import org.apache.spark.sql.delta.testing.{CountingFileSystem, SharedSession, TestTable}
import org.scalatest.funsuite.AnyFunSuite

class MetadataAtVersionSuite extends AnyFunSuite with SharedSession {

  private def table(): TestTable = TestTable().create().append(1L to 2L).append(3L to 4L)

  /** Checks that ours equals Delta's schema or class of error. Returns it and the number of our listings. */
  private def sameAsDelta(table: TestTable, version: Long): (Either[String, MetadataAndProtocol], Int) =
    withConf(CountingFileSystem.confs: _*) {
      DeltaLog.clearCache()
      def read(schema: => MetadataAndProtocol) = Try(schema).toEither.left.map(_.getClass.getName)
      val delta = read {
        val snapshot = table.log.getSnapshotAt(version)
        MetadataAndProtocol(snapshot.metadata, snapshot.protocol)
      }
      var ours = delta
      val listings =
        CountingFileSystem.listings { ours = read(MetadataAtVersion.at(table.log, None, version)) }
      assert(ours == delta)
      (ours, listings)
    }

  test("version 0 is read directly, later versions through Delta") {
    val t = table()
    val (first, listings) = sameAsDelta(t, 0)
    assert(first.exists(_.metadata.schema.fieldNames.toSeq == Seq("id")) && listings == 0)
    assert(sameAsDelta(t, 1)._2 == 2)
  }

  private val noise = """{"txn":{"appId":"a","version":1}}"""

  for ((name, lines, listed) <- Seq[(String, Vector[String] => Vector[String], Boolean)](
      ("with lines in another order", _.reverse, false),
      ("after other actions", Vector.fill(5)(noise) ++ _, false),
      ("after many other actions", Vector.fill(50)(noise) ++ _, true),
      ("without a protocol", _.filterNot(_.contains("\"protocol\"")), true),
      ("after a line that is not an action", "{" +: _, true),
      ("without lines", _ => Vector.empty, true)
    ))
    test(s"the schema of version 0, $name, is the same as Delta's") {
      val t = table()
      val written = Files.readAllLines(t.commitFile(0)).asScala.toVector
      t.writeCommit(0, lines(written): _*)
      assert((sameAsDelta(t, 0)._2 > 0) == listed)
    }

  test("a deleted version 0 fails as it does in Delta") {
    val t = table()
    Files.delete(t.commitFile(0))
    assert(sameAsDelta(t, 0)._1.isLeft)
  }
}
