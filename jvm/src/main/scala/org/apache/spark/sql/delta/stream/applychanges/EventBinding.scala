// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import scala.util.Try

import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.functions.{coalesce, expr, lit, when}
import org.apache.spark.sql.types._
import org.apache.spark.sql.{Column, DataFrame}

import org.apache.spark.sql.delta.commands.cdc.CDCReader._
import org.apache.spark.sql.delta.stream.applychanges.EventColumns._
import org.apache.spark.sql.delta.stream.conf.ApplyChangesSettings
import org.apache.spark.sql.delta.stream.conf.ApplyChangesSettings.Columns

/**
 * Checks the columns of a batch against the settings, and says what they mean.
 *
 * @param rows    the batch
 * @param batchMs the sequence of all events of a batch in update mode, in milliseconds since 1970
 */
private[applychanges] final class EventBinding(
    settings: ApplyChangesSettings,
    rows: DataFrame,
    batchMs: Option[Long]) {
  import EventBinding._

  private val schema = rows.schema
  private val resolver = castToImpl(rows).sparkSession.sessionState.conf.resolver
  private val mistakes = Seq.newBuilder[String]

  private val isChangeFeed =
    settings.sequenceBy.isEmpty && feedColumns.forall(name => find(name).nonEmpty)

  /** Returns what the columns mean, or all mistakes. */
  def columns: Either[Seq[String], EventColumns] = {
    val keys = settings.keys.flatMap(named("keys", _))
    keys.filterNot(key => isKeyType(key.dataType)).foreach { key =>
      mistakes += s"the key ${key.name} has type ${key.dataType.sql}; a key must be a number without fractions, a " +
        "decimal, a string, a date, a timestamp, a boolean or binary"
    }
    val sequence = settings.sequenceBy.flatMap(named("sequenceBy", _))
    sequence.filterNot(field => isOrdered(field.dataType)).foreach { field =>
      mistakes += s"sequenceBy: ${field.name} has type ${field.dataType.sql}, which has no order"
    }
    if (settings.sequenceBy.isEmpty && !isChangeFeed && batchMs.isEmpty)
      mistakes += s"${ApplyChangesSettings.prefix}sequenceBy must name the columns that order the events of a key. " +
        "Only a change feed, with its columns _change_type and _commit_version, does not need it"
    val hasFeed = feedMarks.exists(name => find(name).nonEmpty)
    if (settings.sequenceBy.nonEmpty && settings.applyAsDeletes.isEmpty && hasFeed)
      mistakes += s"${ApplyChangesSettings.prefix}sequenceBy must be left out for a change feed: its columns " +
        s"${feedMarks.mkString(" and ")} say which events are deletes, and how they are ordered. For another " +
        s"order, set ${ApplyChangesSettings.prefix}applyAsDeletes, too"
    reserved.flatMap(find).foreach { field =>
      mistakes += s"the column ${field.name} has a name that is reserved for the target; rename it"
    }
    val values = kept(keys)
    val tracked = settings.history.map { history =>
      choose("trackHistoryColumnList", history, values).filterNot(keys.contains).map(_.name)
    }
    val sequenceType = sequence match {
      case Seq() => LongType
      case Seq(one) => one.dataType
      case several => StructType(several)
    }
    val filled = settings.ignoreNullUpdates.toSeq.flatMap { ignored =>
      choose("ignoreNullUpdates", ignored, values).filterNot(keys.contains).map(_.name)
    }
    val isDelete = settings.applyAsDeletes.map(condition("applyAsDeletes", _))
    val isTruncate = settings.applyAsTruncates.map(condition("applyAsTruncates", _))
    val found = mistakes.result()
    Either.cond(
      found.isEmpty,
      EventColumns(
        StructType(keys),
        StructType(values.map(_.copy(nullable = true))),
        tracked,
        values.size,
        filled,
        fillsMissing = settings.ignoreNullUpdates.contains(Columns.All),
        nullable(sequenceType),
        sequence.map(_.name),
        if (isChangeFeed) EventSet.ChangeFeed else EventSet.Sequenced,
        storesSequence = sequence.isEmpty || !sequence.forall(values.contains),
        sequenceOf = sequenceOf(sequence),
        changeOf = changeOf(isDelete, isTruncate)
      ),
      found
    )
  }

  /** The target keeps what the user says; by default not the columns of a change feed. */
  private def kept(keys: Seq[StructField]): Seq[StructField] = {
    val data =
      if (isChangeFeed) schema.filterNot(field => feedColumns.exists(resolver(_, field.name))) else schema
    val chosen = choose("columnList", settings.columns, data)
    val missing = keys.filterNot(chosen.contains)
    if (missing.nonEmpty)
      mistakes += s"the target must keep the keys; add ${missing.map(_.name).mkString(", ")}"
    chosen
  }

  private def choose(option: String, columns: Columns, among: Seq[StructField]): Seq[StructField] =
    columns match {
      case Columns.All => among
      case Columns.Only(names) =>
        val chosen = names.flatMap(named(option, _))
        among.filter(chosen.contains)
      case Columns.Except(names) =>
        val excluded = names.flatMap(named(option, _))
        among.filterNot(excluded.contains)
    }

  private def sequenceOf(fields: Seq[StructField]): Column = fields match {
    case Seq() if isChangeFeed => column(CDC_COMMIT_VERSION)
    case Seq() => lit(batchMs.getOrElse(0L))
    case several => tuple(several.map(_.name))
  }

  private def changeOf(isDelete: Option[Column], isTruncate: Option[Column]): Column = {
    val ofFeed =
      if (isChangeFeed)
        Some(
          when(column(CDC_TYPE_COLUMN_NAME) === CDC_TYPE_DELETE_STRING, delete)
            .when(column(CDC_TYPE_COLUMN_NAME) === CDC_TYPE_UPDATE_PREIMAGE, preImage)
            .otherwise(upsert))
      else None
    val rest = ofFeed.getOrElse(lit(upsert))
    Seq(isDelete -> delete, isTruncate -> truncate)
      .foldLeft(rest) {
        case (other, (Some(condition), change)) =>
          when(coalesce(condition, lit(false)), change).otherwise(other)
        case (other, _) => other
      }
      .cast(IntegerType)
  }

  private def condition(option: String, text: String): Column = {
    val parsed = Try(rows.select(expr(text)).schema.head.dataType)
    if (!parsed.toOption.contains(BooleanType)) {
      val reason = parsed.fold(_.getMessage.linesIterator.next(), other => s"its type is ${other.sql}")
      mistakes += s"$option must be a condition on the columns of the events, got $text: $reason"
      lit(false)
    } else expr(text)
  }

  private def find(name: String): Option[StructField] = schema.find(field => resolver(field.name, name))

  private def named(option: String, name: String): Option[StructField] = {
    val found = find(name)
    if (found.isEmpty)
      mistakes += s"$option: the events have no column $name; they have ${schema.fieldNames.mkString(", ")}"
    found
  }
}

private object EventBinding {
  private val feedMarks = Seq(CDC_TYPE_COLUMN_NAME, CDC_COMMIT_VERSION)
  private val feedColumns = feedMarks :+ CDC_COMMIT_TIMESTAMP

  private def isKeyType(dataType: DataType): Boolean = dataType match {
    case _: IntegralType | _: DecimalType | StringType | DateType | TimestampType | TimestampNTZType | BooleanType |
        BinaryType =>
      true
    case _ => false
  }

  private def isOrdered(dataType: DataType): Boolean = dataType match {
    case _: MapType | _: ArrayType | _: StructType | _: VariantType | _: CalendarIntervalType | NullType =>
      false
    case _ => true
  }

  private def nullable(dataType: DataType): DataType = dataType match {
    case struct: StructType => StructType(struct.map(_.copy(nullable = true)))
    case other => other
  }
}
