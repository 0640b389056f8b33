// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import org.apache.spark.sql.delta.actions.{AddFile, DeletionVectorDescriptor, RemoveFile}
import org.apache.spark.sql.delta.deletionvectors.{RoaringBitmapArray, StoredBitmap}
import org.apache.spark.sql.delta.testing.{FatalFileSystem, SharedSession, TestTable}
import org.scalacheck.Gen
import org.scalatest.concurrent.{Signaler, ThreadSignaler, TimeLimits}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class DeletionVectorDiffSuite extends AnyFunSuite with SharedSession with ScalaCheckPropertyChecks
    with TimeLimits {

  private def rows(vectors: Seq[DeletionVectorDescriptor]): Seq[Long] =
    vectors.flatMap(vector => StoredBitmap.inline(vector).load(null).toArray)

  test("without rows there is no vector") {
    assert(DeletionVectorDiff.inline(new RoaringBitmapArray).isEmpty)
  }

  test("vectors contain each of the given rows once, and their cardinalities add up") {
    forAll(Gen.containerOf[Set, Long](Gen.choose(0L, 1L << 33))) { ids =>
      val vectors = DeletionVectorDiff.inline(RoaringBitmapArray(ids.toSeq: _*))
      assert(rows(vectors).sorted == ids.toSeq.sorted && vectors.map(_.cardinality).sum == ids.size)
    }
  }

  test("too many rows for one vector are split, and each part fits into a descriptor's text") {
    val ids = (0L until 1000000L).filter(id => (id * 2654435761L >> 7) % 3 == 0)
    val vectors = DeletionVectorDiff.inline(RoaringBitmapArray(ids: _*))
    assert(vectors.size > 1 && vectors.forall(_.pathOrInlineDv.length <= 65535))
    assert(rows(vectors) == ids)
  }

  test("M12: a fatal error while a vector is read reaches the caller") {
    implicit val interrupting: Signaler = ThreadSignaler
    def vector(number: Int) =
      DeletionVectorDescriptor.onDiskWithAbsolutePath(s"file:/vector-$number.bin", 10, 1, Some(1))
    val add = AddFile("a", Map.empty, 1, 1, dataChange = true, deletionVector = vector(2))
    val remove = RemoveFile("a", Some(1), deletionVector = vector(1))
    val error = new NoClassDefFoundError("planted")
    val log = TestTable().create().log
    val thrown = withConf(FatalFileSystem.confs: _*)(FatalFileSystem.opening("vector-", error) {
      val diff = new DeletionVectorDiff(log, DataFileErrors.of(spark, log))
      failAfter(10.seconds)(intercept[Throwable](diff.diff(Seq(FilePair(1, remove, add)))))
    })
    assert(thrown eq error)
  }
}
