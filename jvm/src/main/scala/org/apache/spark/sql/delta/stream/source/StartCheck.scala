// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.log.TableLog
import org.apache.spark.sql.delta.stream.model.{MetadataAndProtocol, Position, Problem}
import org.apache.spark.sql.delta.stream.plan.CommitPolicy
import org.apache.spark.sql.delta.stream.schema.SchemaChangePolicy

/** Checks once per run whether the stream can be read from where the run starts, with the schema of the stream. */
private[source] final class StartCheck(
    log: TableLog,
    logIdentity: LogIdentityCheck,
    schemaPolicy: SchemaChangePolicy,
    commitPolicy: CommitPolicy,
    stateRef: StreamStateRef) {

  /**
   * Checks the schema at a start that was committed when the query was analyzed, or that an offset is not ahead
   * of the table.
   *
   * @param reached the last offset of an earlier run, if there is one: `origin`, or the end of a batch that starts
   *                there and is planned again
   * @param origin  where the run starts
   */
  def once(reached: Option[Position], origin: Position): Option[Problem] =
    if (stateRef.get.isStartChecked) None
    else {
      val before = Option.when(schemaPolicy.mustCheckStart(origin.version))(schemaAt(origin.version))
      val problem =
        before.fold(reached.flatMap(logIdentity.checkOffset(_, origin)))(
          schemaPolicy.checkStart(origin.version, _))
      val known = before.flatMap(_.toOption).map(table => commitPolicy.allowsBatchStart(table.metadata))
      stateRef.update(_.startChecked(problem.isEmpty, origin.version, known))
      problem
    }

  /** Checks the schema at a start that was not committed yet when the query was analyzed, and is now. */
  def ofLaterOnce(origin: Position): Option[Problem] =
    if (stateRef.get.isLaterStartChecked) None
    else {
      val found = Option.when(schemaPolicy.mustCheckLaterStart(origin.version))(schemaAt(origin.version))
      val problem = found.flatMap(schemaPolicy.checkStart(origin.version, _))
      stateRef.update(_.laterStartChecked(problem.isEmpty))
      problem
    }

  private def schemaAt(version: Long): Either[Throwable, MetadataAndProtocol] = {
    val seen = stateRef.get.startVersion.filter(_.version == version).flatMap(_.schema)
    seen.fold(log.metadataAndProtocol(version))(Right(_))
  }
}
