// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import scala.jdk.CollectionConverters.SetHasAsScala

import com.fasterxml.jackson.annotation.JsonIgnoreProperties
import com.fasterxml.jackson.core.{
  JsonFactory,
  JsonFactoryBuilder,
  JsonParser,
  JsonProcessingException,
  JsonToken,
  StreamReadConstraints
}
import com.fasterxml.jackson.databind.introspect.{Annotated, JacksonAnnotationIntrospector}
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.databind.{
  DeserializationContext,
  DeserializationFeature,
  JsonDeserializer,
  ObjectReader
}
import com.fasterxml.jackson.module.scala.DefaultScalaModule
import org.apache.spark.sql.delta.actions.{Action, AddFile, JsonMapDeserializer, RemoveFile, SingleAction}

/**
 * Parses one line of a commit. Nearly all lines of a large commit add a file, in the form Delta's writers
 * use: those are read token by token. Any other line is bound to Delta's own classes, as delta-spark does, so
 * that unusual logs are read as they are there. Both ways skip the statistics of files.
 */
private[stream] object ActionLine {

  /** Parses the line. Fails if it is not a JSON object; returns null if it has no action that Delta knows. */
  def read(line: String): Action = AddFileParser.read(line, jsonFactory).getOrElse(bind(line))

  /**
   * Parses the line as [[read]] does, but skips a `commitInfo`, which does not change the state of a table. It
   * only checks that the `commitInfo` is a JSON object.
   */
  def readState(line: String): Option[Action] = if (isCommitInfo(line)) None else Option(read(line))

  /** Whether the line is a JSON object with a `commitInfo` and nothing else. */
  private def isCommitInfo(line: String): Boolean = line.startsWith(commitInfoPrefix) && {
    val parser = jsonFactory.createParser(line)
    try {
      // Skips to the opening brace of the `commitInfo`.
      (1 to 3).foreach(_ => parser.nextToken())
      parser.skipChildren()
      parser.nextToken() == JsonToken.END_OBJECT
    } catch {
      // The line is then bound to Delta's classes, and that reports what is wrong with it.
      case _: JsonProcessingException => false
    } finally parser.close()
  }

  private val commitInfoPrefix = """{"commitInfo":{"""

  /** Parses a line of any form by binding it to Delta's classes. */
  def bind(line: String): Action = reader.readValue[SingleAction](line).unwrap

  /** A Jackson mix-in that ignores statistics. */
  @JsonIgnoreProperties(Array("stats"))
  private[log] abstract class WithoutStatistics

  /**
   * Replaces Delta's deserializer of operation parameters: with it, Jackson looks up a deserializer in each
   * commit.
   */
  private object OperationParametersIntrospector extends JacksonAnnotationIntrospector {
    override def findDeserializer(annotated: Annotated): AnyRef = super.findDeserializer(annotated) match {
      case deserializer if deserializer == classOf[JsonMapDeserializer] => classOf[RawJsonMapDeserializer]
      case other => other
    }
  }

  /**
   * Maps each field of an object to its value as JSON text, in the order of the fields, because error messages
   * show them. Delta's own deserializer omits nulls inside a value.
   */
  private[log] final class RawJsonMapDeserializer extends JsonDeserializer[Map[String, String]] {
    override def deserialize(parser: JsonParser, context: DeserializationContext): Map[String, String] =
      context.readTree(parser).properties.asScala.iterator
        .map(field => field.getKey -> field.getValue.toString).toMap
  }

  /** Statistics may be longer than the longest string that Jackson accepts by default. */
  private def newFactory(): JsonFactory = {
    val constraints = StreamReadConstraints.builder.maxStringLength(Int.MaxValue).build
    new JsonFactoryBuilder().streamReadConstraints(constraints).build
  }

  private val jsonFactory: JsonFactory = newFactory()

  private val reader: ObjectReader =
    JsonMapper
      .builder(newFactory())
      .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
      .addMixIn(classOf[AddFile], classOf[WithoutStatistics])
      .addMixIn(classOf[RemoveFile], classOf[WithoutStatistics])
      .annotationIntrospector(OperationParametersIntrospector)
      .addModule(DefaultScalaModule)
      .build
      .readerFor(classOf[SingleAction])
}
