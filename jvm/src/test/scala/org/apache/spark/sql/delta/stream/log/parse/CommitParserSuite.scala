// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import java.io.{FileNotFoundException, IOException, InterruptedIOException}
import java.net.SocketTimeoutException

import org.apache.spark.SparkThrowable

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile, FileList, SplitRule}
import org.scalatest.funsuite.AnyFunSuite

class CommitParserSuite extends AnyFunSuite {
  private val file = CommitFile(3, new FileStatus(1, false, 1, 1, 0, new Path("/log/3.json")))

  private def parse(lines: String*): Commit =
    CommitParser.parse(file, lines.iterator, CommitParser.AppendOnly)

  private def changes(lines: String*): Commit =
    CommitParser.parse(file, lines.iterator, CommitParser.ChangeFeed)

  private def add(path: String, more: String = "") =
    s"""{"add":{"path":"$path","partitionValues":{"p":"1"},"size":7,"modificationTime":5,"dataChange":true$more}}"""

  private def refused(lines: String*): SparkThrowable = intercept[Exception](parse(lines: _*)) match {
    case e: SparkThrowable => e
    case other => fail(other)
  }

  test("adds are kept in order, with the fields that reading needs and without statistics") {
    val commit =
      parse(add("a", ""","stats":"{\"numRecords\":1}","baseRowId":4"""), add("b", ""","tags":{"x":"y"}"""))
    val (a, b) = commit.files.from(0).collect { case add: AddFile => add }.toSeq match {
      case Seq(a, b) => (a, b)
      case other => fail(s"$other")
    }
    assert(a.path == "a" && a.size == 7 && a.modificationTime == 5 && a.partitionValues == Map("p" -> "1"))
    assert(a.stats == null && a.baseRowId.contains(4L) && b.path == "b" && b.tags == Map("x" -> "y"))
  }

  test("file actions with dataChange=false are dropped") {
    val commit = parse(
      """{"add":{"path":"a","partitionValues":{},"size":1,"modificationTime":1,"dataChange":false}}""",
      """{"remove":{"path":"b","dataChange":false}}"""
    )
    assert(commit.files.size == 0 && commit.firstRemovedPath.isEmpty)
  }

  test("the first removed path is kept, and a remove without dataChange counts as true") {
    assert(parse(
      """{"remove":{"path":"a"}}""",
      """{"remove":{"path":"b","dataChange":true}}"""
    ).firstRemovedPath.contains("a"))
  }

  test("many lines are read in order, and an error names its line") {
    val names = (1 to 3000).map(number => s"f$number")
    assert(paths(parse(names.map(add(_)): _*)) == names)
    val lines = names.map(add(_)).updated(2499, "{").updated(2800, "]")
    assert(refused(lines: _*).getMessageParameters.get("line") == "2500")
  }

  test("a file that turns out to be missing when it is read is not reported as damaged") {
    def gone = Iterator.fill(1)(throw new FileNotFoundException("gone"))
    assertThrows[FileNotFoundException](CommitParser.parse(file, gone, CommitParser.AppendOnly))
  }

  test("a read that fails midway is not reported as a damaged line") {
    for (error <- Seq(new IOException("reset"), new SocketTimeoutException("slow"))) {
      def failing = Seq(add("a"), add("b")).iterator ++ Iterator.fill(1)(throw error)
      val found = intercept[ReadFailure](CommitParser.parse(file, failing, CommitParser.AppendOnly))
      assert(found.reason eq error)
    }
  }

  test("an interrupt while a commit is read stays an interrupt") {
    def interrupted = Iterator.fill(1)(throw new InterruptedIOException)
    assertThrows[InterruptedIOException](CommitParser.parse(file, interrupted, CommitParser.AppendOnly))
  }

  test("only a few long lines are in memory at a time") {
    var drawn = 0
    val lines = Iterator.continually {
      drawn += 1
      0L -> add("x" * (1 << 20))
    }
    assert(ActionLines.of(lines).next().isSuccess)
    assert(drawn <= 9)
  }

  test("a deletion vector is parsed") {
    val vector =
      ""","deletionVector":{"storageType":"u","pathOrInlineDv":"x","offset":1,"sizeInBytes":2,"cardinality":3}"""
    assert(parse(add("a", vector)).files.from(0).next().deletionVector.cardinality == 3)
  }

  private val remove =
    """{"remove":{"path":"r","dataChange":true,"size":3,"extendedFileMetadata":true,"partitionValues":{}}}"""
  private val change =
    """{"cdc":{"path":"_change_data/c","partitionValues":{},"size":2,"dataChange":false}}"""
  private val vector =
    ""","deletionVector":{"storageType":"u","pathOrInlineDv":"x","offset":1,"sizeInBytes":2,"cardinality":3}"""

  private def paths(commit: Commit) = commit.files.from(0).map(_.path).toSeq

  test("a change feed reads added and removed files in the order of the commit") {
    val commit = changes(remove, add("a"), """{"remove":{"path":"o","dataChange":false}}""")
    assert(paths(commit) == Seq("r", "a") && commit.splitRule == SplitRule.Anywhere)
    assert(commit.files.from(0).map(FileList.bytes).toSeq == Seq(3, 7))
  }

  test("a change feed reads only the change files if there are any, and a row stream none of them") {
    val commit = changes(add("a"), change, remove)
    assert(paths(commit) == Seq("_change_data/c") && commit.splitRule == SplitRule.ChangeFiles)
    assert(paths(parse(add("a"), change, remove)) == Seq("a"))
  }

  test("a change feed does not split a commit with a deletion vector") {
    assert(changes(add("a"), add("b", vector)).splitRule == SplitRule.Nowhere)
    assert(parse(add("a"), add("b", vector)).splitRule == SplitRule.Anywhere)
  }

  test("the operation is kept with its parameters as they are written") {
    val info = parse(
      """{"commitInfo":{"operation":"DELETE","operationParameters":{"predicate":"[\"x\"]"}}}"""
    ).info.get
    assert(s"${info.operation} (${info.operationParameters})" == """DELETE (Map(predicate -> "[\"x\"]"))""")
  }

  test("unknown actions and fields are ignored, and so is text after the object of a line") {
    assert(parse(
      """{"news":{"a":[1,{"b":2}]}}""",
      add("a", ""","more":{"x":1}""") + " zzz",
      "{}"
    ).files.size == 1)
  }

  test("a commit that lists its files in a manifest is marked as such") {
    assert(parse("""{"checkpoint":{"version":3,"sidecars":[]}}""").hasManifest)
  }

  for (torn <- Seq(add("b").dropRight(5), """{"metaData":{"id":"x"""", "", "null", "[1]", "hello"))
    test(s"a line that is not an action fails with the version, the file and the line: $torn") {
      val error = refused(add("a"), torn)
      assert(error.getCondition == "DELTASOURCE_UNREADABLE_COMMIT")
      assert(
        error.getMessageParameters.get("line") == "2" && error.getMessageParameters.get("version") == "3"
      )
      assert(error.getMessageParameters.get("path") == "/log/3.json")
      assert(!Seq("[Source:", "reference chain").exists(error.toString.contains))
    }

  test("an empty file fails, because its rows would be lost") {
    assert(refused().getCondition == "DELTASOURCE_EMPTY_COMMIT")
  }

  for (twice <- Seq(
      """{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}""",
      """{"metaData":{"id":"x","format":{"provider":"parquet","options":{}},"partitionColumns":[],"configuration":{}}}"""
    ))
    test(s"two of these in one commit are refused: $twice") {
      assert(refused(twice, twice).getCondition == "DELTASOURCE_UNREADABLE_COMMIT")
    }
}
