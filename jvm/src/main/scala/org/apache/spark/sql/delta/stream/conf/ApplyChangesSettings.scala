// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import scala.util.Try

import org.apache.spark.sql.catalyst.util.{CaseInsensitiveMap, IntervalUtils}
import org.apache.spark.sql.streaming.OutputMode
import org.apache.spark.unsafe.types.UTF8String

import com.fasterxml.jackson.databind.ObjectMapper

/**
 * The options `applyChanges.*` of a writer, which say how events change the rows of a table
 * (docs/internals/design/0018-apply-changes.md). Columns are named as in the events.
 *
 * @param keys               the columns that identify a row
 * @param sequenceBy         the columns that order the events of a key; none for a change feed, and for an
 *                           aggregation in update mode
 * @param applyAsDeletes     the SQL condition of events that delete their key
 * @param applyAsTruncates   the SQL condition of events that delete all keys up to their sequence
 * @param columns            which columns the target keeps
 * @param history            keeps all versions of a row (type 2) if given, and says which columns make a version
 * @param ignoreNullUpdates  the columns in which a null does not replace a value, if any
 * @param tombstoneRetention how long deletes are remembered, in milliseconds; None for ever
 */
private[delta] final case class ApplyChangesSettings(
    keys: Seq[String],
    sequenceBy: Seq[String],
    applyAsDeletes: Option[String],
    applyAsTruncates: Option[String],
    columns: ApplyChangesSettings.Columns,
    history: Option[ApplyChangesSettings.Columns],
    ignoreNullUpdates: Option[ApplyChangesSettings.Columns],
    tombstoneRetention: Option[Long])

private[delta] object ApplyChangesSettings {

  val prefix = "applyChanges."

  /** A choice of columns. */
  sealed trait Columns
  object Columns {
    case object All extends Columns
    final case class Only(names: Seq[String]) extends Columns
    final case class Except(names: Seq[String]) extends Columns
  }

  private val names = Seq(
    "keys",
    "sequenceBy",
    "applyAsDeletes",
    "applyAsTruncates",
    "columnList",
    "exceptColumnList",
    "storedAsScdType",
    "trackHistoryColumnList",
    "trackHistoryExceptColumnList",
    "ignoreNullUpdates",
    "tombstones"
  )

  private val defaultRetention = "7 days"

  /**
   * Returns the settings, or all mistakes in them. Returns None if there is no such option, so the sink appends.
   *
   * @param options the writer's options, in any case
   */
  def of(options: Map[String, String]): Option[Either[Seq[String], ApplyChangesSettings]] = {
    val ours = CaseInsensitiveMap(options.collect {
      case (name, value) if isOurs(name) => name.drop(prefix.length) -> value
    })
    Option.when(ours.nonEmpty)(new Parser(ours).settings)
  }

  /**
   * Returns the output mode that a writer with these options has besides append: update if it applies changes, since
   * an aggregation that is applied by its grouping columns is an upsert.
   */
  def otherOutputMode(options: Map[String, String]): OutputMode =
    if (options.keys.exists(isOurs)) OutputMode.Update else OutputMode.Complete

  private def isOurs(option: String): Boolean = option.toLowerCase.startsWith(prefix.toLowerCase)

  private final class Parser(options: CaseInsensitiveMap[String]) {

    private val mistakes = Seq.newBuilder[String]

    private def mistake[A](text: String, instead: A): A = {
      mistakes += text
      instead
    }

    def settings: Either[Seq[String], ApplyChangesSettings] = {
      options.keys.filterNot(name => names.exists(_.equalsIgnoreCase(name))).toSeq.sorted.foreach { name =>
        mistakes += s"$prefix$name is no option; there are ${names.map(prefix + _).mkString(", ")}"
      }
      val keys = list("keys")
      if (keys.isEmpty) mistakes += s"${prefix}keys must name the columns that identify a row"
      val parsed = ApplyChangesSettings(
        keys,
        list("sequenceBy"),
        text("applyAsDeletes"),
        text("applyAsTruncates"),
        columns("columnList", "exceptColumnList"),
        history,
        ignoredNulls,
        retention)
      if (parsed.history.nonEmpty && parsed.applyAsTruncates.nonEmpty)
        mistakes += s"${prefix}applyAsTruncates needs ${prefix}storedAsScdType=1: a history is not truncated"
      if (parsed.history.nonEmpty && parsed.ignoreNullUpdates.nonEmpty)
        mistakes += s"${prefix}ignoreNullUpdates needs ${prefix}storedAsScdType=1"
      val found = mistakes.result()
      Either.cond(found.isEmpty, parsed, found)
    }

    private def text(name: String): Option[String] = options.get(name).filter(_.trim.nonEmpty)

    private def ignoredNulls: Option[Columns] = options.getOrElse("ignoreNullUpdates", "false").trim match {
      case no if no.equalsIgnoreCase("false") => None
      case yes if yes.equalsIgnoreCase("true") => Some(Columns.All)
      case _ => Some(Columns.Only(list("ignoreNullUpdates")))
    }

    private def history: Option[Columns] = {
      val tracked = columns("trackHistoryColumnList", "trackHistoryExceptColumnList")
      options.getOrElse("storedAsScdType", "1").trim match {
        case "2" => Some(tracked)
        case "1" if tracked == Columns.All => None
        case "1" => mistake(s"${prefix}trackHistory... needs ${prefix}storedAsScdType=2", None)
        case other => mistake(s"${prefix}storedAsScdType must be 1 or 2, got $other", None)
      }
    }

    private def columns(only: String, except: String): Columns =
      (options.get(only), options.get(except)) match {
        case (None, None) => Columns.All
        case (Some(_), None) => Columns.Only(list(only))
        case (None, Some(_)) => Columns.Except(list(except))
        case _ => mistake(s"$prefix$only and $prefix$except must not be given together", Columns.All)
      }

    private def retention: Option[Long] = {
      val text = options.getOrElse("tombstones", defaultRetention).trim
      if (text.equalsIgnoreCase("forever")) None
      else
        Try(IntervalUtils.stringToInterval(UTF8String.fromString(text)))
          .filter(interval => interval.months == 0 && !IntervalUtils.isNegative(interval))
          .map(interval =>
            Some(IntervalUtils.getDuration(interval, java.util.concurrent.TimeUnit.MILLISECONDS)))
          .getOrElse(mistake(
            s"${prefix}tombstones must be a time such as '7 days', or forever, got $text",
            None))
    }

    /** Names are separated by commas, or a JSON array if one contains a comma. */
    private def list(name: String): Seq[String] = {
      val text = options.getOrElse(name, "").trim
      if (text.startsWith("["))
        Try(new ObjectMapper().readValue(text, classOf[Array[String]]).toSeq)
          .getOrElse(mistake(s"$prefix$name must be a JSON array of names, got $text", Nil))
      else text.split(',').map(_.trim).filter(_.nonEmpty).toSeq
    }
  }
}
