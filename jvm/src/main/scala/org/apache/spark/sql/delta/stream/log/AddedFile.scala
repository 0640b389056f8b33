// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import scala.annotation.tailrec

import com.fasterxml.jackson.core.{JsonFactory, JsonParser, JsonProcessingException, JsonToken}
import org.apache.spark.sql.delta.actions.AddFile

/** A line that adds a file, read token by token; none for one that has anything unexpected in it. */
private[log] object AddedFile {
  private val begin = """{"add":{"""

  def read(line: String, tokens: JsonFactory): Option[AddFile] =
    if (!line.startsWith(begin)) None
    else {
      val parser = tokens.createParser(line)
      try {
        // Up to the brace of the file.
        (1 to 3).foreach(_ => parser.nextToken())
        fields(parser, Fields()).filter(_ => parser.nextToken() == JsonToken.END_OBJECT).flatMap(_.file)
      } catch {
        // What is wrong with the line is told by whoever reads it in the general way.
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
  private def fields(parser: JsonParser, read: Fields): Option[Fields] =
    parser.nextToken() match {
      case JsonToken.END_OBJECT => Some(read)
      case _ =>
        val name = parser.currentName
        field(name, parser.nextToken(), parser, read) match {
          case Some(more) => fields(parser, more)
          case None => None
        }
    }

  private def field(name: String, value: JsonToken, parser: JsonParser, read: Fields): Option[Fields] =
    (name, value) match {
      case ("path", JsonToken.VALUE_STRING) => Some(read.copy(path = Some(parser.getText)))
      case ("partitionValues", JsonToken.START_OBJECT) =>
        texts(parser, Map.empty).map(found => read.copy(partitionValues = Some(found)))
      case ("size", JsonToken.VALUE_NUMBER_INT) => Some(read.copy(size = Some(parser.getLongValue)))
      case ("modificationTime", JsonToken.VALUE_NUMBER_INT) =>
        Some(read.copy(modificationTime = Some(parser.getLongValue)))
      case ("dataChange", JsonToken.VALUE_TRUE) => Some(read.copy(dataChange = Some(true)))
      case ("dataChange", JsonToken.VALUE_FALSE) => Some(read.copy(dataChange = Some(false)))
      case ("stats", _) =>
        parser.skipChildren()
        Some(read)
      case ("tags", JsonToken.START_OBJECT) => texts(parser, Map.empty).map(found => read.copy(tags = found))
      case ("baseRowId", JsonToken.VALUE_NUMBER_INT) => Some(read.copy(baseRowId = Some(parser.getLongValue)))
      case ("defaultRowCommitVersion", JsonToken.VALUE_NUMBER_INT) =>
        Some(read.copy(defaultRowCommitVersion = Some(parser.getLongValue)))
      case ("clusteringProvider", JsonToken.VALUE_STRING) =>
        Some(read.copy(clusteringProvider = Some(parser.getText)))
      case _ => None
    }

  @tailrec
  private def texts(parser: JsonParser, read: Map[String, String]): Option[Map[String, String]] =
    parser.nextToken() match {
      case JsonToken.END_OBJECT => Some(read)
      case _ =>
        val name = parser.currentName
        parser.nextToken() match {
          case JsonToken.VALUE_STRING => texts(parser, read + (name -> parser.getText))
          // The value of a partition column may be missing.
          case JsonToken.VALUE_NULL => texts(parser, read + (name -> Option.empty[String].orNull))
          case _ => None
        }
    }
}
