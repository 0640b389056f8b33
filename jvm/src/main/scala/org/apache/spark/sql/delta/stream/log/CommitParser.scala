// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import scala.annotation.tailrec
import scala.util.control.NonFatal

import org.apache.spark.sql.delta.actions.{
  Action,
  AddCDCFile,
  AddFile,
  Checkpoint,
  CommitInfo,
  FileAction,
  Metadata,
  Protocol,
  RemoveFile
}
import org.apache.spark.sql.delta.stream.StreamErrors
import org.apache.spark.sql.delta.stream.plan.{Commit, Cut, FileList}

/**
 * Reads a commit file line by line into a [[Commit]], without the statistics of files, for they are most of the bytes
 * and no stream looks at them. Unknown actions are passed over, as the protocol asks of readers.
 */
object CommitParser {

  /** Which file actions belong to a stream. */
  sealed abstract class Reads

  /** `add` with `dataChange`. */
  case object Added extends Reads

  /** Change files where a commit has any, and else `add` and `remove` with `dataChange`. */
  case object Changed extends Reads

  /** Fails with a typed error that names the line for a torn, damaged or empty file: nothing of it is read then. */
  def parse(file: CommitFile, lines: Iterator[String], reads: Reads): Commit = {
    @tailrec
    def read(draft: Draft, line: Int): Draft = {
      val next =
        try Option.when(lines.hasNext)(draft.reading(ActionLine.read(lines.next())))
        catch { case NonFatal(e) => throw StreamErrors.unreadableCommit(file.version, file.path, line, e) }
      next match {
        case Some(longer) => read(longer, line + 1)
        case None if line == 1 => throw StreamErrors.emptyCommit(file.version, file.path)
        case None => draft
      }
    }
    read(Draft(reads), line = 1).commit(file.version)
  }

  /** The same reading of actions that come from elsewhere. */
  def of(version: Long, actions: Iterator[Action], reads: Reads): Commit =
    actions.foldLeft(Draft(reads))(_ reading _).commit(version)

  private final case class Draft(
      reads: Reads,
      files: Vector[FileAction] = Vector.empty,
      changeFiles: Vector[FileAction] = Vector.empty,
      removedData: Option[String] = None,
      metadata: Option[Metadata] = None,
      protocol: Option[Protocol] = None,
      info: Option[CommitInfo] = None,
      manifest: Boolean = false
  ) {

    def commit(version: Long): Commit = {
      val (read, cut) =
        if (changeFiles.nonEmpty) (changeFiles, Cut.ChangeFiles)
        else if (reads == Changed && files.exists(file => Option(file.deletionVector).nonEmpty))
          (files, Cut.Nowhere)
        else (files, Cut.Anywhere)
      Commit(version, FileList.of(read), cut, removedData, metadata, protocol, info, manifest)
    }

    def reading(action: Action): Draft = action match {
      case add: AddFile if add.dataChange => copy(files = files :+ add)
      case remove: RemoveFile if remove.dataChange =>
        val first = removedData.orElse(Some(remove.path))
        if (reads == Changed) copy(files = files :+ remove, removedData = first)
        else copy(removedData = first)
      case change: AddCDCFile if reads == Changed => copy(changeFiles = changeFiles :+ change)
      case read: Metadata =>
        require(metadata.isEmpty, "a commit has at most one metaData action")
        copy(metadata = Some(read))
      case read: Protocol =>
        require(protocol.isEmpty, "a commit has at most one protocol action")
        copy(protocol = Some(read))
      case read: CommitInfo => copy(info = Some(read))
      case _: Checkpoint => copy(manifest = true)
      case _ => this
    }
  }
}
