// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException
import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.stream.log.CommitIdentity.{Different, Same}
import org.apache.spark.sql.delta.stream.plan.Commit
import org.apache.spark.sql.delta.stream.schema.TableSchema
import org.apache.spark.sql.delta.stream.{StreamErrors, StreamException}
import org.apache.spark.sql.delta.{
  DeltaErrors,
  DeltaLog,
  DeltaUnsupportedTableFeatureException,
  InvalidProtocolVersionException,
  Snapshot,
  VersionNotFoundException
}

/**
 * The log of a table of Delta's.
 *
 * @param reads          which file actions of a commit the stream is made of
 * @param commitsAtFirst where commits are found, until one says otherwise
 * @param filesOf        the files of a version, in the order of an initial snapshot
 */
final class DeltaTableLog(
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    reads: CommitParser.Reads,
    commitsAtFirst: CommitFiles,
    newest: NewestSnapshot,
    bounds: LogBounds,
    filesOf: Snapshot => SnapshotFiles
) extends TableLog {

  private val opener = new CommitOpener(deltaLog.store, RenewedHadoopConf.of(deltaLog))
  private val ahead = new ReadAhead(bounds.readAhead)(parse)

  /** A table may be handed to a coordinator while it is read. */
  private val commits = new AtomicReference(commitsAtFirst)

  override def latest(): Long = newest.get().version

  override def known(): Long = deltaLog.unsafeVolatileSnapshot.version

  override def byName: Boolean = commits.get.byName

  override def find(version: Long): Option[CommitFile] = commits.get.find(version)

  override def list(from: Long): Vector[CommitFile] = commits.get.list(from)

  override def read(file: CommitFile): Option[Commit] = {
    val commit = ahead.read(file)
    commit.flatMap(_.protocol).foreach(deltaLog.protocolRead)
    if (byName && commit.exists(CommitFiles.areCoordinatedFrom)) {
      commits.set(CommitFiles.of(deltaLog, catalogTable, newest.get()))
      ahead.expect(Iterator.empty)
    }
    commit
  }

  override def expect(files: Iterator[CommitFile]): Unit =
    ahead.expect(if (byName) files else Iterator.empty)

  private def parse(file: CommitFile): Option[Commit] =
    try Some(
        if (file.status.getLen <= bounds.heldCommitBytes || !opener.hasBytes(file.status)) held(file)
        else new LargeCommit(file, reads)(open).parse())
    catch {
      // A file that may not be read is reported in this way too. If it is undecided whether it is the same, it is looked
      // for again as one that is gone.
      case e: FileNotFoundException if find(file.version).exists(is(Same, file)) =>
        throw StreamErrors.unreadableCommit(file.version, file.path, 1, e)
      case _: FileNotFoundException => None
    }

  /** If it is undecided whether the file is the same, nothing was read of it yet. */
  private def open(file: CommitFile, from: Long): LargeCommit.Opened = {
    val found = find(file.version).getOrElse(throw new FileNotFoundException(file.path))
    if (found.compare(file)(content) == Different) throw StreamErrors.replacedCommit(file.version, file.path)
    // A commit that was staged when it was judged may be published by now.
    val opened = opener.open(found.status)
    opened.seek(from)
    LargeCommit.Opened(found.copy(content = file.content), opened)
  }

  private def is(answer: CommitIdentity.Answer, file: CommitFile)(found: CommitFile): Boolean =
    found.identity.compare(file.identity) == answer

  override def content(file: CommitFile): Option[Long] =
    try {
      val hash = new CommitHash
      val lines = opener.lines(file.status, hash)
      try lines.foreach(_ => ())
      finally lines.close()
      Some(hash.value)
    } catch { case _: FileNotFoundException => None }

  /** A store that knows the file by what was listed of it refuses another one there. */
  private def held(file: CommitFile): Commit = {
    val hash = new CommitHash
    val lines = opener.lines(file.status, hash)
    try CommitParser.parse(file, lines, reads).copy(content = Some(hash.value))
    catch {
      case _: StreamException if find(file.version).exists(is(Different, file)) =>
        throw StreamErrors.replacedCommit(file.version, file.path)
    } finally lines.close()
  }

  /** Delta answers with a version it has in memory without a look at the log. */
  override def snapshot(version: Long): SnapshotFiles = {
    val cached = deltaLog.unsafeVolatileSnapshot
    val found = snapshotAt(version)
    if (found eq cached) new CachedSnapshotFiles(found, new Relisting(deltaLog, catalogTable), filesOf)
    else filesOf(found)
  }

  /** What cannot be rebuilt or read cannot be compared; its commits may be readable all the same, as on delta-spark. */
  override def schema(version: Long): Either[Throwable, TableSchema] =
    try Right(VersionSchema.at(deltaLog, catalogTable, version))
    catch {
      // What Delta says of a log with commits missing depends on which; a store that fails says something else.
      case e @ (_: FileNotFoundException | _: VersionNotFoundException | _: IllegalStateException |
          _: IllegalArgumentException | _: DeltaUnsupportedTableFeatureException |
          _: InvalidProtocolVersionException) =>
        Left(e)
    }

  private def snapshotAt(version: Long): Snapshot =
    try deltaLog.getSnapshotAt(version, catalogTableOpt = catalogTable)
    catch {
      case e: FileNotFoundException => throw DeltaErrors.logFileNotFoundExceptionForStreamingSource(e)
    }
}
