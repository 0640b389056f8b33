// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bench

import java.nio.file.{Files, Path}

import com.fasterxml.jackson.core.{JsonFactory, JsonParser, JsonToken}

/**
 * A lower bound for the time to read a log: reads each byte once, with a streaming parser that extracts path, size and
 * time of each added file and skips the rest.
 */
object Floor {
  private val json = new JsonFactory

  /** Reads the commits of a log. Returns the nanoseconds it took, and the number of added files. */
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

  /** Reads one action, after its opening brace. Returns whether it adds a file. */
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
