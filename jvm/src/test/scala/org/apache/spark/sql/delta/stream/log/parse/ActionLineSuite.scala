// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import scala.util.Try

import com.fasterxml.jackson.core.JsonFactory
import org.apache.spark.sql.delta.actions.{Action, AddFile}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ActionLineSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val usual =
    """{"add":{"path":"a%20b","partitionValues":{"p":"1","q":null},"size":7,"modificationTime":5,""" +
      """"dataChange":true,"stats":"{\"numRecords\":1}","tags":{"x":"y"},"baseRowId":4,""" +
      """"defaultRowCommitVersion":2,"clusteringProvider":"liquid"}}"""

  private def byTokens(line: String) = AddFileParser.read(line, new JsonFactory)

  test("a line as Delta writes it is read token by token, with the same result as binding") {
    assert(byTokens(usual).contains(ActionLine.bind(usual)))
    assert(byTokens(usual).exists(file => file.partitionValues("q") == null && file.stats == null))
  }

  test("a line of another form is left to binding") {
    val others = Seq(
      """{"remove":{"path":"a","dataChange":true}}""",
      """ {"add":{"path":"a"}}""",
      """{"add":null}""",
      """{"add":{"path":"a","partitionValues":{},"size":"7","modificationTime":5,"dataChange":true}}""",
      """{"add":{"path":"a","partitionValues":{},"size":7,"modificationTime":5,"dataChange":true,"new":1}}""",
      """{"add":{"path":"a","partitionValues":{},"size":7,"modificationTime":5,"dataChange":true},"txn":null}""",
      usual.dropRight(2)
    )
    others.foreach(line => assert(byTokens(line).isEmpty, line))
  }

  test("commitInfo is read as Delta reads it") {
    val parameters =
      """{"mode":"Append","partitionBy":"[\"p\"]","predicate":["(id < 1.50)"],"n":7,"b":true,"d":1e3,""" +
        """"none":null,"nested":{"a":[1,{"é":"ü\n"}]},"":""}"""
    val line = s"""{"commitInfo":{"timestamp":5,"operation":"WRITE","operationParameters":$parameters,""" +
      """"operationMetrics":{"numFiles":"1"},"inCommitTimestamp":3}}"""
    for (text <- Seq(line, line.replace(parameters, "null"), line.replace(parameters, "{}")))
      assert(ActionLine.bind(text) == Action.fromJson(text))
  }

  test("M21: operation parameters keep the order of the commit, which error messages show") {
    val names = Seq("predicate", "matchedPredicates", "notMatchedPredicates", "notMatchedBySourcePredicates")
    for (ordered <- names.permutations) {
      val parameters = ordered.map(name => s""""$name":"[]"""").mkString("{", ",", "}")
      val line = s"""{"commitInfo":{"timestamp":5,"operation":"MERGE","operationParameters":$parameters}}"""
      assert(ActionLine.bind(line).toString == Action.fromJson(line).toString)
    }
  }

  test("for the state of a table, a commitInfo is skipped; any other line is read, and a damaged one fails") {
    val skipped = Seq("""{"commitInfo":{}}""", """{"commitInfo":{"timestamp":5,"tags":{"a":"}"}}} """)
    skipped.foreach(line => assert(ActionLine.readState(line).isEmpty, line))
    val read = Seq(
      usual,
      """{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}""",
      """{"commitInfo":{},"txn":{"appId":"a","version":1}}""",
      """ {"commitInfo":{"operation":"WRITE"}}"""
    )
    read.foreach(line => assert(ActionLine.readState(line).contains(ActionLine.read(line)), line))
    val damaged =
      Seq("""{"commitInfo":{"timestamp":5""", """{"commitInfo":{"timestamp":}}""", """{"commitInfo":{}""")
    damaged.foreach(line => assert(Try(ActionLine.readState(line)).isFailure, line))
  }

  private val value = Gen.oneOf(
    Gen.oneOf("null", "true", "false", "0", "-1", "12", "1.5", "99999999999999999999", "\"\"", "\"7\""),
    Gen.alphaNumStr.map(text => s""""$text\\u00e9\\"""""),
    Gen.oneOf("{}", "[]", """{"a":"b"}""", """{"a":null}""", """{"a":1}""", """{"a":{"b":[1,"}"]}}""")
  )

  private val expected = Map(
    "path" -> Gen.oneOf("\"a\"", "\"b/%C3%A9\""),
    "partitionValues" -> Gen.oneOf("{}", """{"p":"1"}""", """{"p":null,"q":"é"}"""),
    "size" -> Gen.oneOf("0", "120000000", "-5"),
    "modificationTime" -> Gen.oneOf("1", "1767225600000"),
    "dataChange" -> Gen.oneOf("true", "false"),
    "stats" -> Gen.oneOf("\"{}\"", """"{\"numRecords\":1}"""", "{\"a\":[1]}"),
    "tags" -> Gen.oneOf("{}", """{"x":"y"}"""),
    "baseRowId" -> Gen.oneOf("0", "4"),
    "defaultRowCommitVersion" -> Gen.oneOf("0", "4"),
    "clusteringProvider" -> Gen.const("\"liquid\""),
    "deletionVector" -> Gen.oneOf(
      "null",
      """{"storageType":"u","pathOrInlineDv":"x","offset":1,"sizeInBytes":2,"cardinality":3}"""),
    "anything" -> value
  )

  private val required = Seq("path", "partitionValues", "size", "modificationTime", "dataChange")

  /** Mostly valid: a few fields have any value, are missing or occur twice, and a few lines are cut short. */
  private val lines: Gen[String] = for {
    optional <- Gen.someOf(expected.keySet -- required)
    dropped <- Gen.frequency(9 -> Gen.const(Set.empty[String]), 1 -> Gen.someOf(required).map(_.toSet))
    twice <- Gen.frequency(9 -> Gen.const(Seq.empty[String]), 1 -> Gen.someOf(required).map(_.toSeq))
    names = (required.filterNot(dropped) ++ optional ++ twice).toVector
    order <- Gen.pick(names.size, names.indices)
    fields <- Gen.sequence[Vector[String], String](order.toVector.map { at =>
      Gen.frequency(20 -> expected(names(at)), 1 -> value).map(value => s""""${names(at)}":$value""")
    })
    space <- Gen.oneOf("", "", " ")
    end <- Gen.frequency(9 -> "}}", 1 -> "}", 1 -> """},"txn":{"appId":"a","version":1}}""", 1 -> "}} x")
  } yield s"""{"add":{${fields.mkString(s",$space")}$end"""

  test("any line gives the same file or failure as binding") {
    forAll(lines, minSuccessful(2000)) { line =>
      byTokens(line) match {
        case Some(file) => assert(bound(line).contains(file), line)
        case None => assert(Try(ActionLine.read(line)).toOption == Try(ActionLine.bind(line)).toOption, line)
      }
    }
  }

  /** Spark 4.0's Jackson gives null for missing tags, that of later lines an empty map. */
  private def bound(line: String) = Try(ActionLine.bind(line)).toOption.map {
    case file: AddFile if file.tags == null => file.copy(tags = Map.empty)
    case other => other
  }
}
