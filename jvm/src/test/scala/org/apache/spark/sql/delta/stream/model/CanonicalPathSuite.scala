// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import java.net.URI

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class CanonicalPathSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val onDisk = CanonicalPath(new URI("file:/data/my%20table"), new URI("file:///"))
  private val inStore = CanonicalPath(new URI("s3a://bucket/table"), new URI("hdfs://name:8020"))

  private def same(name: String, in: CanonicalPath, spellings: String*): Unit =
    test(s"M20: the same path: $name") {
      val found = spellings.map(spelling => spelling -> in(spelling))
      val _ = assert(found.map(_._2).distinct.size == 1, found)
    }

  private def different(name: String, in: CanonicalPath, paths: String*): Unit =
    test(s"M20: different paths: $name") {
      val _ = assert(paths.map(in).distinct.size == paths.size)
    }

  same("without a scheme, or with one or three slashes after it", onDisk, "/a/b", "file:/a/b", "file:///a/b")
  same("percent-encoded or not", onDisk, "/a/b%20c%23d", "file:/a/b%20c%23d", "file:///a/b%20c%23%64")
  same("with a space that should have been encoded", onDisk, "/a/b c", "/a/b%20c", "file:///a/b%20c")
  same(
    "with the table's prefix",
    onDisk,
    "part=1/x",
    "part%3D1/x",
    "/data/my%20table/part=1/x",
    "file:/data/my%20table/part=1/x",
    "file:///data/my%20table/part%3D1/x"
  )
  same(
    "with dot segments and empty segments",
    onDisk,
    "a/b",
    "a//b",
    "a/./b",
    "a/c/../b",
    "/data/my%20table//a/b")
  same("in an object store", inStore, "a/b", "s3a://bucket/table/a/b", "s3a://bucket/table//a/b")
  same("on the default file system", inStore, "/a/b", "hdfs://name:8020/a/b")

  different("other files", onDisk, "a", "b", "/a", "a/b", "a%252Fb", "a%2520b", "é", "%c3")
  different("other stores", inStore, "/a", "s3a://bucket/a", "s3a://other/a", "s3://bucket/a", "a")
  different("a name with a colon", onDisk, "a:b", "a", "b")

  private val text = Gen.nonEmptyListOf(
    Gen.frequency(
      8 -> Gen.oneOf("ab=_-19.Z"),
      3 -> Gen.const('/'),
      1 -> Gen.oneOf("%: #+?é"))).map(_.mkString)

  test("a plain path has the form that parsing it gives") {
    for (root <- Seq(onDisk, inStore, CanonicalPath(new URI("file:/"), new URI("file:///"))))
      forAll(text, minSuccessful(500)) { drawn =>
        // Two slashes at the start are not a path, but the beginning of an authority.
        val path = drawn.replaceFirst("^/+", "/")
        assert(root(path) == root.parsed(path))
      }
    val names = Seq("part-00000-6f1c-c000.snappy.parquet", "p=1/q_r=x.y/part-0.parquet", "a1/b-2")
    assert(names.forall(CanonicalPath.isPlain))
  }
}
