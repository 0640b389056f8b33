// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.files.TahoeBatchFileIndex

/**
 * The files of a batch, which planning asks for twice. Delta's index puts each through a Dataset and back every time,
 * to filter by partition. Without a predicate on partitions, or with the `true` that tables with deletion vectors are
 * asked with, they are handed over as they are.
 */
private[frame] final class BatchFileIndex(like: TahoeBatchFileIndex, files: Seq[AddFile])
    extends TahoeBatchFileIndex(like.spark, like.actionType, files, like.deltaLog, like.path, like.snapshot) {

  override def matchingFiles(partitionFilters: Seq[Expression], dataFilters: Seq[Expression]): Seq[AddFile] =
    if (partitionFilters.forall(_ == TrueLiteral)) files
    else super.matchingFiles(partitionFilters, dataFilters)
}
