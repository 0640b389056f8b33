// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import com.fasterxml.jackson.annotation.JsonIgnoreProperties
import com.fasterxml.jackson.core.{JsonFactory, JsonFactoryBuilder, StreamReadConstraints}
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.databind.{DeserializationFeature, ObjectReader}
import com.fasterxml.jackson.module.scala.DefaultScalaModule
import org.apache.spark.sql.delta.actions.{Action, AddFile, RemoveFile, SingleAction}

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

  /** Statistics may be longer than the longest string Jackson takes by default. */
  private def newFactory(): JsonFactory = {
    val constraints = StreamReadConstraints.builder.maxStringLength(Int.MaxValue).build
    new JsonFactoryBuilder().streamReadConstraints(constraints).build
  }

  private val tokens: JsonFactory = newFactory()

  private val reader: ObjectReader =
    JsonMapper
      .builder(newFactory())
      .addModule(DefaultScalaModule)
      .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
      .addMixIn(classOf[AddFile], classOf[WithoutStatistics])
      .addMixIn(classOf[RemoveFile], classOf[WithoutStatistics])
      .build
      .readerFor(classOf[SingleAction])
}
