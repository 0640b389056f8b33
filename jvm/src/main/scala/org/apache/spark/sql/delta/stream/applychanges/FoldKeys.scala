// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  GenericInternalRow,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.stream.applychanges.TypeTwo.Interval
import org.apache.spark.sql.delta.stream.model.ApplyChangesErrors

/**
 * Folds the records of each key, on an executor.
 *
 * @param schema    of the records
 * @param eventWidth how many of the values the events have, see [[EventColumns]]
 * @param tracked   for type 2, the positions of the tracked columns among the values
 * @param filled    the positions of the columns in which a null does not replace a value
 * @param truncated removes everything up to this sequence
 * @param dataPath  the path of the target, for errors
 */
private[applychanges] final class FoldKeys(
    schema: StructType,
    eventWidth: Int,
    tracked: Option[Seq[Int]],
    filled: Set[Int],
    truncated: Option[Any],
    ties: EventSet,
    dataPath: String)
    extends (Iterator[InternalRow] => Iterator[InternalRow])
    with Serializable {
  import FoldKeys._

  private def keyType = schema(Records.Key).dataType.asInstanceOf[StructType]
  private def valuesType = schema(Records.Values).dataType.asInstanceOf[StructType]
  private def sequenceType = schema(Records.Sequence).dataType

  private lazy val valuesOf = new ValuesOf(valuesType, eventWidth)

  /** @param records sorted by key */
  override def apply(records: Iterator[InternalRow]): Iterator[InternalRow] = {
    val foldKey = tracked.fold[Fold](if (filled.isEmpty) typeOne else typeOneFilled)(typeTwo)
    byKey(records.map(_.copy()), keyType.size).flatMap { case (key, records) =>
      val (gone, rest) = records.partition(isTruncated)
      val removed = gone.filter(_.getInt(Records.Kind) == Records.TargetRow).map(remove(_, Records.Alone))
      val ignored = gone.count(_.getInt(Records.Kind) == Records.Event)
      removed ++ ignore(key, ignored) ++ foldKey(key, new KeyRecords(rest))
    }
  }

  /** Rows that were not written by us are removed as well. */
  private def isTruncated(record: InternalRow): Boolean = truncated.exists { until =>
    val own = sequence(record)
    own == null || order.lteq(own, until)
  }

  private def ignore(key: InternalRow, count: Int): Seq[InternalRow] =
    Option.when(count > 0)(action(Records.Ignore, key, null, count = count.toLong)).toSeq

  private type Fold = (InternalRow, KeyRecords) => Seq[InternalRow]

  /** A null is before all sequences. */
  private implicit lazy val order: Ordering[Any] = {
    val ofValues = TypeUtils.getInterpretedOrdering(sequenceType)
    (one, other) =>
      if (one == null || other == null) java.lang.Boolean.compare(one != null, other != null)
      else ofValues.compare(one, other)
  }

  private def typeOne(key: InternalRow, records: KeyRecords): Seq[InternalRow] = {
    val rows = records.target.map { record =>
      StoredRow(Option(sequence(record)), record)
    }
    val tombstones = records.state.map(sequence)
    val outcome = orFail(key)(TypeOne.fold(rows, tombstones, records.events.map(event), ties))
    replace(key, outcome.removed, outcome.inserted) ++
      outcome.tombstone.map(sequence => remember(key, Event(sequence, Change.Delete))) ++
      outcome.duplicates.map { case (row, values) =>
        action(Records.Compare, key, sequence(row), values = values.row, row = Some(row))
      } ++
      ignore(key, outcome.ignored)
  }

  /** Removes rows of a key and inserts another, which is an update if there are both. */
  private def replace(
      key: InternalRow,
      removed: Seq[InternalRow],
      inserted: Option[Event[Any, Values]]): Seq[InternalRow] = {
    val change = if (inserted.nonEmpty && removed.nonEmpty) Records.Update else Records.Alone
    removed.map(remove(_, change)) ++
      inserted.collect { case Event(sequence, Change.Upsert(values)) =>
        action(Records.Insert, key, sequence, change = change, values = values.row)
      }
  }

  private lazy val fillNulls = new FillNulls(valuesType, filled)

  private def fill(row: Values, older: Values): Option[Values] = {
    val next = fillNulls(row.row, older.row)
    Option.when(next != row.row)(valuesOf(next, row.isNew))
  }

  private def typeOneFilled(key: InternalRow, records: KeyRecords): Seq[InternalRow] = {
    val rows = records.target.map { record =>
      record -> Option.when(isEvent(records)(record))(event(record))
    }
    val outcome =
      orFail(key)(TypeOneFilled.fold(rows, records.state.map(event), records.events.map(event), ties)(fill))
    replace(key, outcome.removed, outcome.inserted) ++
      outcome.state.map(remember(key, _))
  }

  private def typeTwo(columns: Seq[Int]): Fold = {
    val projection =
      UnsafeProjection.create(columns.map(i => BoundReference(i, valuesType(i).dataType, nullable = true)))
    val project: Values => Any = values => projection(values.row).copy()
    (key, records) => {
      val (known, contradicting) = records.target.partition(isEvent(records))
      val rows = known.map { record =>
        record -> Interval[Any, Values](sequence(record), Option(end(record)), values(record))
      }
      val outcome =
        orFail(key)(TypeTwo.fold(rows, records.state.map(event), records.events.map(event), ties)(
          project,
          valuesOf.continued))
      val (before, after) = (outcome.removed.map(_._2.start).toSet, outcome.inserted.map(_.start).toSet)
      def change(isUpdate: Boolean) = if (isUpdate) Records.Update else Records.Alone
      outcome.removed.map { case (record, row) => remove(record, change(after(row.start))) } ++
        contradicting.map(remove(_, Records.Alone)) ++
        outcome.inserted.map { row =>
          val end = row.end.orNull
          action(Records.Insert, key, row.start, end, change(before(row.start)), values = row.values.row)
        } ++
        outcome.state.map(remember(key, _))
    }
  }

  /**
   * Whether a row of the target counts as an event. A row that was there before any event is one before all others,
   * unless its key has several, which contradict each other.
   */
  private def isEvent(records: KeyRecords): InternalRow => Boolean = {
    val isOnly = records.target.count(sequence(_) == null) == 1
    record => isOnly || sequence(record) != null
  }

  private def event(record: InternalRow): Event[Any, Values] =
    Event(
      sequence(record),
      (record.getInt(Records.ChangeOf): @unchecked) match {
        case EventColumns.upsert => Change.Upsert(values(record))
        case EventColumns.delete => Change.Delete
        case EventColumns.preImage => Change.PreImage(values(record))
      }
    )

  private def sequence(record: InternalRow): Any = valueOrNull(record, Records.Sequence)

  private def end(record: InternalRow): Any = valueOrNull(record, Records.End)

  private def values(record: InternalRow): Values =
    valuesOf(unsafeValues(record), isNew = record.getInt(Records.Kind) == Records.Event)

  private def unsafeValues(record: InternalRow): UnsafeRow =
    record.getStruct(Records.Values, valuesType.size).asInstanceOf[UnsafeRow]

  private def valueOrNull(record: InternalRow, column: Int): Any =
    if (record.isNullAt(column)) null else record.get(column, sequenceType)

  private def remember(key: InternalRow, event: Event[Any, Values]): InternalRow = event.change match {
    case Change.Upsert(values) => action(Records.Remember, key, event.sequence, values = values.row)
    case _ => action(Records.Remember, key, event.sequence, change = EventColumns.delete)
  }

  private def remove(row: InternalRow, change: Int): InternalRow =
    action(
      Records.Remove,
      row.getStruct(Records.Key, keyType.size),
      sequence(row),
      end(row),
      change,
      values = if (row.isNullAt(Records.Values)) null else unsafeValues(row),
      row = Some(row)
    )

  private def action(
      kind: Int,
      key: InternalRow,
      sequence: Any,
      end: Any = null,
      change: Int = EventColumns.upsert,
      values: InternalRow = null,
      row: Option[InternalRow] = None,
      count: Long = 0): InternalRow = {
    val file = row.map(_.getUTF8String(Records.File)).orNull
    val index = row.fold(count)(_.getLong(Records.Index))
    new GenericInternalRow(Array[Any](kind, key, sequence, end, change, values, file, index))
  }

  private def orFail[A](key: InternalRow)(result: Either[Tie[Any, Values], A]): A = result match {
    case Right(outcome) => outcome
    case Left(tie) =>
      throw ApplyChangesErrors.ambiguousSequence(
        RowText.of(key, keyType),
        RowText.of(tie.sequence, sequenceType),
        tie.first.map(text),
        tie.second.map(text),
        dataPath
      )
  }

  private def text(values: Values): String =
    RowText.of(values.compared, StructType(valuesType.take(eventWidth)))
}

private[applychanges] object FoldKeys {

  /** The records of one key, by where they come from. */
  private final class KeyRecords(records: Seq[InternalRow]) {
    val target: Seq[InternalRow] = of(Records.TargetRow)
    val state: Seq[InternalRow] = of(Records.StateEvent)
    val events: Seq[InternalRow] = of(Records.Event)

    private def of(origin: Int): Seq[InternalRow] = records.filter(_.getInt(Records.Kind) == origin)
  }

  private def byKey(records: Iterator[InternalRow], width: Int): Iterator[(InternalRow, Seq[InternalRow])] = {
    val rest = records.buffered
    def keyOf(record: InternalRow): InternalRow = record.getStruct(Records.Key, width)
    new Iterator[(InternalRow, Seq[InternalRow])] {
      override def hasNext: Boolean = rest.hasNext
      override def next(): (InternalRow, Seq[InternalRow]) = {
        val key = keyOf(rest.head)
        val same = Vector.newBuilder[InternalRow]
        while (rest.hasNext && keyOf(rest.head) == key) same += rest.next()
        key -> same.result()
      }
    }
  }
}
