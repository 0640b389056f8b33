// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import scala.jdk.CollectionConverters.SetHasAsScala

import com.fasterxml.jackson.annotation.JsonIgnoreProperties
import com.fasterxml.jackson.core.{JsonFactory, JsonFactoryBuilder, JsonParser, StreamReadConstraints}
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
 * Reads one line of a commit. Nearly all lines of a large commit add a file in the form Delta's writers give it: those
 * are read token by token. Whatever has another form is bound to Delta's own classes, as the peer does it, so that odd
 * logs are read as they are there. The statistics of files are stepped over both ways.
 */
private[stream] object ActionLine {

  def read(line: String): Action = AddedFile.read(line, tokens).getOrElse(bound(line))

  /** The general way. */
  def bound(line: String): Action = reader.readValue[SingleAction](line).unwrap

  @JsonIgnoreProperties(Array("stats"))
  private[log] abstract class WithoutStatistics

  /** Delta's way to read the parameters of an operation makes Jackson look for a deserializer in each commit. */
  private object OperationParameters extends JacksonAnnotationIntrospector {
    override def findDeserializer(annotated: Annotated): AnyRef = super.findDeserializer(annotated) match {
      case deltas if deltas == classOf[JsonMapDeserializer] => classOf[JsonTexts]
      case other => other
    }
  }

  /** Each value of an object as the JSON it is (Delta leaves out what is null inside of one). */
  private[log] final class JsonTexts extends JsonDeserializer[Map[String, String]] {
    override def deserialize(parser: JsonParser, context: DeserializationContext): Map[String, String] =
      context.readTree(parser).properties.asScala.map(field => field.getKey -> field.getValue.toString).toMap
  }

  /** Statistics may be longer than the longest string Jackson takes by default. */
  private def newFactory(): JsonFactory = {
    val constraints = StreamReadConstraints.builder.maxStringLength(Int.MaxValue).build
    new JsonFactoryBuilder().streamReadConstraints(constraints).build
  }

  private val tokens: JsonFactory = newFactory()

  private val reader: ObjectReader =
    JsonMapper
      .builder(newFactory())
      .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
      .addMixIn(classOf[AddFile], classOf[WithoutStatistics])
      .addMixIn(classOf[RemoveFile], classOf[WithoutStatistics])
      .annotationIntrospector(OperationParameters)
      .addModule(DefaultScalaModule)
      .build
      .readerFor(classOf[SingleAction])
}
