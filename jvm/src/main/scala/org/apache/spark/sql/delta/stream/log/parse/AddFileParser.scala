// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import scala.annotation.tailrec

import com.fasterxml.jackson.core.{JsonFactory, JsonParser, JsonProcessingException, JsonToken}
import org.apache.spark.sql.delta.actions.AddFile

/** Parses lines that add a file, in the form Delta's writers use, token by token. */
private[parse] object AddFileParser {
  private val prefix = """{"add":{"""

  /** Returns the file, without its statistics, or `None` if the line has anything unexpected in it. */
  def read(line: String, tokens: JsonFactory): Option[AddFile] =
    if (!line.startsWith(prefix)) None
    else {
      val parser = tokens.createParser(line)
      try {
        // Skips to the opening brace of the file.
        (1 to 3).foreach(_ => parser.nextToken())
        fields(parser, Fields()).filter(_ => parser.nextToken() == JsonToken.END_OBJECT).flatMap(_.file)
      } catch {
        // The line is then bound to Delta's classes, and that reports what is wrong with it.
        case _: JsonProcessingException => None
      } finally parser.close()
    }

  private final case class Fields(
      path: Option[String] = None,
      partitionValues: Option[Map[String, String]] = None,
      size: Option[Long] = None,
      modificationTime: Option[Long] = None,
      dataChange: Option[Boolean] = None,
      tags: Map[String, String] = Map.empty,
      baseRowId: Option[Long] = None,
      defaultRowCommitVersion: Option[Long] = None,
      clusteringProvider: Option[String] = None
  ) {

    def file: Option[AddFile] = for {
      path <- path.filter(_.nonEmpty)
      partitionValues <- partitionValues
      size <- size
      modificationTime <- modificationTime
      dataChange <- dataChange
    } yield AddFile(
      path = path,
      partitionValues = partitionValues,
      size = size,
      modificationTime = modificationTime,
      dataChange = dataChange,
      tags = tags,
      baseRowId = baseRowId,
      defaultRowCommitVersion = defaultRowCommitVersion,
      clusteringProvider = clusteringProvider
    )
  }

  @tailrec
  private def fields(parser: JsonParser, parsed: Fields): Option[Fields] =
    parser.nextToken() match {
      case JsonToken.END_OBJECT => Some(parsed)
      case _ =>
        val name = parser.currentName
        field(name, parser.nextToken(), parser, parsed) match {
          case Some(more) => fields(parser, more)
          case None => None
        }
    }

  private def field(name: String, value: JsonToken, parser: JsonParser, parsed: Fields): Option[Fields] =
    (name, value) match {
      case ("path", JsonToken.VALUE_STRING) => Some(parsed.copy(path = Some(parser.getText)))
      case ("partitionValues", JsonToken.START_OBJECT) =>
        strings(parser, Map.empty).map(values => parsed.copy(partitionValues = Some(values)))
      case ("size", JsonToken.VALUE_NUMBER_INT) => Some(parsed.copy(size = Some(parser.getLongValue)))
      case ("modificationTime", JsonToken.VALUE_NUMBER_INT) =>
        Some(parsed.copy(modificationTime = Some(parser.getLongValue)))
      case ("dataChange", JsonToken.VALUE_TRUE) => Some(parsed.copy(dataChange = Some(true)))
      case ("dataChange", JsonToken.VALUE_FALSE) => Some(parsed.copy(dataChange = Some(false)))
      case ("stats", _) =>
        parser.skipChildren()
        Some(parsed)
      case ("tags", JsonToken.START_OBJECT) =>
        strings(parser, Map.empty).map(tags => parsed.copy(tags = tags))
      case ("baseRowId", JsonToken.VALUE_NUMBER_INT) =>
        Some(parsed.copy(baseRowId = Some(parser.getLongValue)))
      case ("defaultRowCommitVersion", JsonToken.VALUE_NUMBER_INT) =>
        Some(parsed.copy(defaultRowCommitVersion = Some(parser.getLongValue)))
      case ("clusteringProvider", JsonToken.VALUE_STRING) =>
        Some(parsed.copy(clusteringProvider = Some(parser.getText)))
      case _ => None
    }

  @tailrec
  private def strings(parser: JsonParser, parsed: Map[String, String]): Option[Map[String, String]] =
    parser.nextToken() match {
      case JsonToken.END_OBJECT => Some(parsed)
      case _ =>
        val name = parser.currentName
        parser.nextToken() match {
          case JsonToken.VALUE_STRING => strings(parser, parsed + (name -> parser.getText))
          // A partition value may be null.
          case JsonToken.VALUE_NULL => strings(parser, parsed + (name -> Option.empty[String].orNull))
          case _ => None
        }
    }
}
