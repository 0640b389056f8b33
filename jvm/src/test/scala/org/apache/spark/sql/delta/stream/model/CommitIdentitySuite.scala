// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.hadoop.fs.{EtagSource, FileStatus, Path}
import org.apache.spark.sql.delta.stream.model.CommitIdentity._
import org.scalatest.funsuite.AnyFunSuite

class CommitIdentitySuite extends AnyFunSuite {
  private val published = "/t/_delta_log/00000000000000000003.json"
  private def staged(uuid: Int) =
    s"/t/_delta_log/_staged_commits/00000000000000000003.0000000$uuid-89ab-cdef-0123-456789abcdef.json"

  private val commit =
    CommitIdentity(3, published, length = 10, modificationTime = 1700000001234L, etag = None)
  private val whole = commit.copy(modificationTime = 1700000001000L)
  private val later = commit.copy(modificationTime = 1700000005678L)
  private val tagged = commit.copy(etag = Some("a"))

  private val table: Seq[(String, CommitIdentity, CommitIdentity, Comparison)] = Seq(
    ("nothing differs", commit, commit, Same),
    ("another version", commit, commit.copy(version = 4), Different),
    ("another length", commit, commit.copy(length = 11), Different),
    ("another length with the same tag", tagged, tagged.copy(length = 11), Different),
    ("the time in whole seconds", commit, whole, Same),
    ("another second", commit, later, Unknown),
    (
      "the same second, both with milliseconds",
      commit,
      commit.copy(modificationTime = 1700000001235L),
      Unknown),
    ("another whole second", whole, whole.copy(modificationTime = 1700000002000L), Unknown),
    ("the same tag at another time", tagged, tagged.copy(modificationTime = 5), Same),
    ("another tag at the same time", tagged, tagged.copy(etag = Some("b")), Unknown),
    ("a tag that only one of them has, at the same time", commit, tagged, Same),
    ("a tag that only one of them has, at another time", later, tagged, Unknown),
    ("a staged commit that was published", commit.copy(path = staged(1)), later, Same),
    ("a staged commit of another length", commit.copy(path = staged(1)), commit.copy(length = 11), Different),
    ("two staged commits", commit.copy(path = staged(1)), commit.copy(path = staged(2)), Different),
    ("one staged commit", commit.copy(path = staged(1)), commit.copy(path = staged(1)), Same),
    ("another folder", commit, commit.copy(path = "/u/_delta_log/00000000000000000003.json"), Unknown)
  )

  for ((what, one, other, answer) <- table)
    test(s"M16: $what: $answer, in either order") {
      assert(one.compare(other) == answer && other.compare(one) == answer)
    }

  test("M16: the entity tag is taken from file systems that have one") {
    def file(status: FileStatus) = CommitFile(3, status).identity.etag
    assert(file(new Tagged("a")).contains("a"))
    assert(file(new Tagged("")).isEmpty && file(new FileStatus(1, false, 1, 1, 1, new Path("/a"))).isEmpty)
  }

  test("M9: the content hash decides if the file status does not, and is computed only then") {
    def at(time: Long) = CommitFile(3, new FileStatus(10, false, 1, 1, time, new Path(published)))
    val read = at(1234).copy(contentHash = Some(7))
    assert(at(1234).compare(read)(_ => fail("read again")) == Same)
    assert(at(5678).compare(read)(_ => Some(7)) == Same)
    assert(at(5678).compare(read)(_ => Some(8)) == Different)
    assert(at(5678).compare(read)(_ => None) == Different)
    assert(at(5678).compare(at(1234))(_ => fail("read again")) == Unknown)
  }

  private final class Tagged(tag: String) extends FileStatus(1, false, 1, 1, 1, new Path("/a"))
      with EtagSource {
    override def getEtag: String = tag
  }
}
