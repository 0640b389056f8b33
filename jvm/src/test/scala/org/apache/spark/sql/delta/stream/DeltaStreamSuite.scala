// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.plan._
import org.apache.spark.sql.delta.stream.start.{StartMemory, StartVersion, StreamStart}
import org.apache.spark.sql.delta.testing.{Generators, InMemoryTableLog, Schemas}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class DeltaStreamSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val schema = Schemas.untracked(Metadata(id = "id"))

  private def settings(options: (String, String)*)(confs: (String, String)*): StreamSettings = {
    val conf = new SQLConf
    confs.foreach { case (key, value) => conf.setConfString(key, value) }
    StreamSettings(new DeltaOptions(options.toMap, conf), conf)
  }

  private def stream(
      log: InMemoryTableLog,
      having: StreamSettings = settings("startingVersion" -> "0")(),
      start: => Option[Long] = Some(0),
      memory: StartMemory = StartMemory.none
  ): DeltaStream =
    new DeltaStream(
      log,
      new AppendPlanner(_ => true),
      schema,
      having,
      log.known(),
      () => start.map(StartVersion(_)),
      memory,
      None,
      new StreamErrors("/t")
    )

  private def at(version: Long, place: Place = Place.Begin) = Position(version, place, inSnapshot = false)

  private def condition(body: => Any): String = intercept[Exception](body) match {
    case e: SparkThrowable => e.getCondition
    case other => fail(other)
  }

  private def history(commits: Vector[Long]*): InMemoryTableLog =
    commits.zipWithIndex.foldLeft(new InMemoryTableLog) { case (log, (sizes, version)) =>
      log.append(version.toLong, sizes: _*)
    }

  private val one = Budget(1, 100)

  test("a commit is read once, however many batches it is cut into") {
    val log = history(Vector(1, 1, 1, 1), Vector(1))
    val running = stream(log)
    var from = Option.empty[Position]
    var batches = 0
    var files = Vector.empty[String]
    Iterator.continually(running.latest(from, one)).takeWhile(_ != from).foreach { end =>
      files ++= running.files(from.getOrElse(at(0)), end.get).map(_.path)
      running.commit(end.get)
      from = end
      batches += 1
    }
    assert(batches == 5 && files == Seq("0-0", "0-1", "0-2", "0-3", "1-0"))
    assert(log.reads == Vector(0, 1) && log.listings == 1)
  }

  test(
    "a planned batch is answered without listing or reading, with one look that its last commit is there"
  ) {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val end = running.latest(None, Budget.unlimited).get
    val (listings, looks, reads) = (log.listings, log.looks, log.reads)
    assert(running.files(at(0), end).map(_.path) == Seq("0-0", "1-0"))
    assert(log.listings == listings && log.reads == reads && log.looks == looks + 1)
  }

  test("commits beyond a full batch are not opened") {
    val log = history(Vector.fill(50)(Vector(1L)): _*)
    stream(log).latest(None, one)
    assert(log.reads == Vector(0, 1))
  }

  test("what comes behind a batch is expected, up to where a run ends and until the stream stops") {
    val log = history(Vector.fill(5)(Vector(1L)): _*)
    val running = stream(log)
    running.latest(None, one)
    assert(log.expected == Vector(2, 3, 4))
    running.stop()
    assert(log.expected.isEmpty)
    // Without what it knows it lists again, and sees what has come since the run's end was found.
    val now = stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.reuse" -> "false"))
    now.prepareForAvailableNow()
    val end = now.latest(None, one)
    log.append(5, 1)
    now.latest(end, Budget(2, 100))
    assert(log.expected == Vector(4))
  }

  test("a batch planned before a restart has the same files after it") {
    forAll(Generators.history, Generators.limits) { case (commits, (files, bytes)) =>
      val log = history(commits: _*)
      val before = stream(log)
      val end = before.latest(None, Budget(files.toLong, bytes)).get
      assert(stream(log).files(at(0), end).map(_.action) == before.files(at(0), end).map(_.action))
    }
  }

  test("a snapshot half read goes on in the snapshot of its version, whatever came after") {
    val log = history(Vector(1, 1), Vector(1))
    val snapshot = settings()()
    val before = stream(log, snapshot, None)
    val end = before.latest(None, Budget(2, 100)).get
    assert(end == Position(1, Place.File(1), inSnapshot = true))
    log.append(2, 1)
    val after = stream(log, snapshot, None)
    val next = after.latest(Some(end), Budget.unlimited).get
    assert(after.files(end, next).map(_.path) == Seq("1-0", "2-0") && next == at(3))
  }

  test("S3: a batch that starts outside the snapshot lets go of it") {
    val log = history(Vector(1))
    val running = stream(log, settings()(), None)
    val end = running.latest(None, Budget.unlimited).get
    running.files(Position(0, Place.Begin, inSnapshot = true), end)
    assert(running.state.snapshot.nonEmpty)
    log.append(1, 1)
    val next = running.latest(Some(end), Budget.unlimited).get
    running.files(end, next)
    assert(running.state.snapshot.isEmpty && log.closed == Vector(0L -> true))
  }

  for (interval <- Seq("0", "1h")) {
    test(s"a trailing commit that vanished after it was planned stops the stream (listInterval $interval)") {
      val log = history(Vector(1), Vector(1))
      val running =
        stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.listInterval" -> interval))
      val end = running.latest(None, Budget.unlimited).get
      log.remove(1)
      assert(condition(running.files(at(0), end)) == "DELTA_STREAMING_TRAILING_COMMIT_MISSING")
    }

    test(s"a commit replaced after it was planned stops the stream (listInterval $interval)") {
      val log = history(Vector(1), Vector(1))
      val running =
        stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.listInterval" -> interval))
      val end = running.latest(None, Budget.unlimited).get
      log.append(1, 2)
      assert(condition(running.files(at(0), end)) == "DELTASOURCE_COMMIT_REPLACED")
    }
  }

  test("the last commit of a batch that has looked ahead of it is looked for as well") {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val end = running.latest(None, one).get
    log.remove(0)
    assert(end == at(1))
    assert(condition(running.files(at(0), end)) == "DELTA_MISSING_FILES_UNEXPECTED_VERSION")
  }

  test("a trailing commit that is gone after a restart stops the stream, even when losses are allowed") {
    val log = history(Vector(1), Vector(1))
    val end = stream(log).latest(None, Budget.unlimited).get
    log.remove(1)
    val lenient = settings("startingVersion" -> "0", "failOnDataLoss" -> "false")()
    assert(condition(stream(log, lenient).files(at(0), end)) == "DELTA_STREAMING_TRAILING_COMMIT_MISSING")
  }

  test("a gap stops the stream once what comes before it is delivered") {
    val log = history(Vector(1), Vector(1), Vector(1)).remove(1)
    val running = stream(log)
    val end = running.latest(None, Budget.unlimited)
    assert(end.contains(at(1)))
    assert(condition(running.latest(end, Budget.unlimited)) == "DELTA_MISSING_FILES_UNEXPECTED_VERSION")
  }

  test("a gap is passed over with failOnDataLoss=false") {
    val log = history(Vector(1), Vector(1), Vector(1)).remove(1)
    val running = stream(log, settings("startingVersion" -> "0", "failOnDataLoss" -> "false")())
    val end = running.latest(None, Budget.unlimited).get
    assert(end == at(3) && running.files(at(0), end).map(_.path) == Seq("0-0", "2-0"))
  }

  test("a batch that ends before a gap can be planned again, wherever the limit fell") {
    val lenient = settings("startingVersion" -> "0", "failOnDataLoss" -> "false")()
    val log = history(Vector(1), Vector(1), Vector(1)).remove(1)
    val end = stream(log, lenient).latest(None, one).get
    val restarted = stream(log, lenient)
    assert(restarted.files(at(0), end).map(_.path) == Seq("0-0"))
    val next = restarted.latest(Some(end), one).get
    assert(restarted.files(end, next).map(_.path) == Seq("2-0"))
  }

  test("a commit that cannot be read is a problem after what comes before it, until it is mended") {
    val log = history(Vector(1), Vector(1), Vector(1))
    log.torn = Set(1)
    val running = stream(log)
    val end = running.latest(None, Budget.unlimited)
    assert(end.contains(at(1)) && running.files(at(0), end.get).map(_.path) == Seq("0-0"))
    assert(condition(running.latest(end, Budget.unlimited)) == "DELTASOURCE_EMPTY_COMMIT")
    log.torn = Set.empty
    assert(running.latest(end, Budget.unlimited).contains(at(3)))
  }

  test("the first batch is built as a restart would build it, from the snapshot before its end") {
    val log = history(Vector(1))
    val running = stream(log, settings()(), None)
    log.append(1, 1)
    val end = running.latest(None, Budget.unlimited).get
    val from = running.begin(None, end)
    assert(from == Position(1, Place.Begin, inSnapshot = true))
    assert(running.files(from, end).map(_.path) == Seq("0-0", "1-0"))
  }

  test("good data before a refused commit is delivered before the stream fails on it") {
    val log = history(Vector(1), Vector(1)).put(Commit(2, removedData = Some("0-0")))
    val running = stream(log)
    val end = running.latest(None, Budget.unlimited)
    assert(end.contains(at(2)) && running.files(at(0), end.get).size == 2)
    assert(condition(running.latest(end, Budget.unlimited)) == "DELTA_SOURCE_IGNORE_DELETE")
  }

  test("AvailableNow ends where the table ended when it first asked, however the batches are cut") {
    val log = history(Vector(1, 1), Vector(1))
    val running = stream(log)
    running.prepareForAvailableNow()
    val first = running.latest(None, one)
    log.append(2, 1)
    val second = running.latest(first, one)
    val third = running.latest(second, one)
    assert(third.contains(at(2)) && running.latest(third, one) == third)
  }

  test("without reuse of plans a batch is planned from the log, and is the same") {
    val log = history(Vector(1, 1), Vector(1))
    val fresh = stream(log, settings("startingVersion" -> "0")("spark.deltasource.plan.reuse" -> "false"))
    val end = fresh.latest(None, Budget(2, 100)).get
    val reads = log.reads.size
    assert(fresh.files(at(0), end).map(_.path) == Seq("0-0", "0-1") && log.reads.size > reads)
  }

  test("committed commits are forgotten, the one a batch was cut in is kept") {
    val log = history(Vector(1), Vector(1, 1), Vector(1))
    val running = stream(log)
    val end = running.latest(None, Budget(2, 100)).get
    running.commit(end)
    assert(running.state.tail.parsed.map(_.file.version) == Seq(1) && running.state.planned.isEmpty)
  }

  test("nothing there yet is no offset, and nothing new is the same offset") {
    val log = history(Vector(1))
    val running = stream(log, start = Some(1))
    assert(running.latest(None, one).isEmpty)
    assert(running.latest(Some(at(1)), one).contains(at(1)))
  }

  test("the start is resolved once") {
    var asked = 0
    val log = history(Vector(1))
    val running = new DeltaStream(
      log,
      new AppendPlanner(_ => true),
      schema,
      settings("startingVersion" -> "latest")(),
      0,
      () => { asked += 1; Some(StartVersion(log.known() + 1)) },
      StartMemory.none,
      None,
      new StreamErrors("/t")
    )
    assert(running.latest(None, one).isEmpty)
    log.append(1, 1)
    val end = running.latest(None, one)
    assert(asked == 1 && end.contains(at(2)) && running.files(at(1), end.get).map(_.path) == Seq("1-0"))
  }

  /** Beside a checkpoint that outlives its streams. */
  private final class Remembering extends StartMemory {
    var start = Option.empty[StreamStart]
    var committed = false
    override def recall(): Option[StreamStart] = start
    override def remember(start: StreamStart): Unit = this.start = Some(start)
    override def done(): Unit = start = None
    override def hasBatchDone: Boolean = committed
  }

  private val newest = settings("startingVersion" -> "latest")()

  test("a stream from latest that saw nothing waits, after a restart, where it once began") {
    val log = history(Vector(1))
    val memory = new Remembering
    assert(stream(log, newest, Some(log.known() + 1), memory).latest(None, one).isEmpty)
    log.append(1, 1)
    val restarted = stream(log, newest, Some(log.known() + 1), memory)
    val end = restarted.latest(None, one).get
    assert(end == at(2) && restarted.files(restarted.begin(None, end), end).map(_.path) == Seq("1-0"))
  }

  test("a first batch from latest is replayed with the rows it was planned with") {
    val log = history(Vector(1))
    val memory = new Remembering
    val before = stream(log, newest, Some(1), memory)
    before.latest(None, one)
    log.append(1, 1)
    val end = before.latest(None, one).get
    log.append(2, 1)
    val restarted = stream(log, newest, Some(log.known() + 1), memory)
    assert(restarted.files(restarted.begin(None, end), end).map(_.path) == Seq("1-0"))
  }

  test("M7: where a stream from latest began is forgotten once its first batch is committed") {
    val log = history(Vector(1))
    val memory = new Remembering
    val running = stream(log, newest, Some(1), memory)
    log.append(1, 1)
    val first = running.latest(None, one).get
    running.files(at(1), first)
    log.append(2, 1)
    running.latest(Some(first), one)
    running.commit(first)
    assert(memory.start.isEmpty)
    // Whoever deletes the offsets begins anew.
    assert(stream(log, newest, Some(3), memory).latest(None, one).isEmpty)
  }

  test("M7: a run of one batch, which the engine never commits, forgets where it began as it stops") {
    val log = history(Vector(1))
    val memory = new Remembering
    val running = stream(log, newest, Some(1), memory)
    log.append(1, 1)
    running.latest(None, one)
    running.stop()
    assert(memory.start.nonEmpty)
    memory.committed = true
    running.stop()
    assert(memory.start.isEmpty)
  }

  /** Follows commits that each have a file and write the metadata; answers how much history each batch has left. */
  private def heldOf(running: DeltaStream, end: Long): Vector[Int] = {
    var held = Vector.empty[Int]
    Iterator
      .iterate(Option.empty[Position]) { from =>
        val end = running.latest(from, Budget(100, Long.MaxValue))
        for (to <- end if !from.contains(to)) {
          running.files(from.getOrElse(at(0)), to)
          running.commit(to)
        }
        held :+= running.state.feed.answers.size
        end
      }
      .drop(1)
      .find(_.contains(at(end)))
    held
  }

  private def described(commits: Long, metadata: Long => Metadata): InMemoryTableLog = {
    val log = new InMemoryTableLog
    for (version <- 0L until commits) {
      val files = FileList.of(Vector(InMemoryTableLog.file(version.toString)))
      log.put(Commit(version, files, metadata = Some(metadata(version))))
    }
    log
  }

  test("M3: 10,000 commits that each write the metadata leave no trace in the state") {
    val running = stream(described(10000, version => Metadata(id = "id", description = s"$version")))
    val held = heldOf(running, 10000)
    assert(held.size >= 100 && held.max <= 2)
    assert(running.state.tail.files.size <= 50000 && running.state.tail.parsed.size <= 2)
  }

  test("M3: a change feed that is turned off and on again leaves no trace once its batches are committed") {
    // Off for a version in the middle of each batch: a batch that begins there would fail.
    def feed(version: Long) = Map("delta.enableChangeDataFeed" -> s"${version % 100 != 50}")
    val log = described(1000, version => Metadata(id = "id", configuration = feed(version)))
    val held =
      heldOf(stream(log, settings("startingVersion" -> "0", "readChangeFeed" -> "true")()), 1000)
    assert(held.size >= 10 && held.max <= 2)
  }

  test("a first batch from a snapshot is replayed from that snapshot, and not from a newer one") {
    val log = history(Vector(1))
    val memory = new Remembering
    val before = stream(log, settings()(), None, memory)
    log.append(1, 1)
    val end = before.latest(None, Budget.unlimited).get
    val restarted = stream(log, settings()(), None, memory)
    assert(restarted.begin(None, end) == Position(0, Place.Begin, inSnapshot = true))
  }

  test("a first batch that another has planned is replayed as delta-spark does") {
    val log = history(Vector(1), Vector(1))
    val memory = new Remembering
    stream(log, newest, Some(2), memory).latest(None, one)
    val restarted = stream(log, settings("startingVersion" -> "1")(), Some(1), memory)
    assert(restarted.begin(None, at(2)) == at(1))
  }

  test("another start that is asked for before anything was read is the start") {
    val log = history(Vector(1), Vector(1))
    val memory = new Remembering
    assert(stream(log, newest, Some(2), memory).latest(None, one).isEmpty)
    assert(stream(log, settings("startingVersion" -> "0")(), Some(0), memory).latest(
      None,
      one).contains(at(1)))
    assert(memory.start.exists(_.position == at(0)))
  }

  /** The same versions in another table: it was deleted and made anew. */
  private def recreate(log: InMemoryTableLog, versions: Int): Unit = {
    (0L to log.known()).foreach(log.remove)
    log.put(Commit(0, metadata = Some(Metadata(id = "other"))))
    (1 until versions).foreach(version => log.append(version.toLong, 1))
  }

  for (versions <- Seq(1, 2, 3))
    test(s"a table made anew with $versions versions while the stream waits at the second stops it") {
      val log = history(Vector(1), Vector(1))
      val running =
        stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.listInterval" -> "0"))
      val end = running.latest(None, Budget.unlimited)
      recreate(log, versions)
      assert(condition(running.latest(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
    }

  for {
    (start, name) <- Seq(None -> "behind its initial snapshot", Some(2L) -> "for its first commit")
    reuse <- Seq(true, false)
  }
    test(s"a table made anew while a stream waits $name stops it (reuse $reuse)") {
      val log = history(Vector(1), Vector(1))
      val confs = Seq("spark.deltasource.log.listInterval" -> "0", "spark.deltasource.log.reuse" -> s"$reuse")
      val running = stream(log, settings()(confs: _*), start)
      val end = running.latest(None, Budget.unlimited)
      assert(running.latest(end, one) == end)
      recreate(log, 3)
      assert(condition(running.latest(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
    }

  test("a table made anew while a stream that came back waits stops it") {
    val log = history(Vector(1), Vector(1))
    val end = stream(log).latest(None, Budget.unlimited)
    val back = stream(log, settings()("spark.deltasource.log.listInterval" -> "0"))
    end.foreach(back.files(at(0), _))
    assert(back.latest(end, one) == end)
    recreate(log, 3)
    assert(condition(back.latest(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
  }

  test("versions whose retention is over, while newer ones are there, stop nothing") {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val end = running.latest(None, Budget.unlimited)
    log.append(2, 1).remove(0).remove(1)
    assert(running.latest(end, one).contains(at(3)))
  }

  test("S10: stop releases the snapshot, and may be called twice") {
    val log = history(Vector(1))
    val running = stream(log, settings()(), None)
    running.latest(None, one)
    running.stop()
    running.stop()
    assert(log.closed == Vector(0L -> false) && running.state.snapshot.isEmpty)
  }
}
