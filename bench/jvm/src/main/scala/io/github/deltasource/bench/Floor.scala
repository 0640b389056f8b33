// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bench

import java.nio.file.{Files, Path}

import com.fasterxml.jackson.core.{JsonFactory, JsonParser, JsonToken}

/**
 * The least that reading a log can cost: each byte read once, and of each added file its path, size and time taken out
 * by a streaming parser that skips the rest.
 */
object Floor {
  private val json = new JsonFactory

  /** How many nanoseconds that takes for the commits of a log, and how many files were added. */
  def read(log: String): Array[Long] = {
    val started = System.nanoTime
    val listed = Files.list(Path.of(log))
    val commits =
      try listed.filter(file => file.toString.endsWith(".json")).sorted().toArray(new Array[Path](_))
      finally listed.close()
    val files = commits.iterator.map(added).sum
    Array(System.nanoTime - started, files)
  }

  private def added(commit: Path): Long = {
    val parser = json.createParser(Files.readAllBytes(commit))
    try Iterator.continually(
        parser.nextToken()).takeWhile(_ != null).count(_ == JsonToken.START_OBJECT && action(parser)).toLong
    finally parser.close()
  }

  /** Reads one line, from its brace to its end; whether it adds a file. */
  private def action(parser: JsonParser): Boolean = {
    val add = parser.nextFieldName() == "add"
    parser.nextToken()
    if (add) file(parser) else parser.skipChildren()
    parser.nextToken()
    add
  }

  private def file(parser: JsonParser): Unit =
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      val name = parser.currentName
      parser.nextToken()
      name match {
        case "path" => parser.getText
        case "size" | "modificationTime" => parser.getLongValue
        case _ => parser.skipChildren()
      }
    }
}
