// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/** References from one place to another that may stay unlinked, and why that is harmless. */
final case class AllowedMiss(from: String, to: String, reason: String) {

  def covers(finding: Finding): Boolean = within(from, finding.from) && within(to, ownerOf(finding.to))

  /** A place is a package, which ends in a slash, or a class with those nested in it. */
  private def within(place: String, name: String): Boolean =
    if (place.endsWith("/")) name.startsWith(place) else name == place || name.startsWith(s"$place$$")

  private def ownerOf(reference: Reference): String = reference match {
    case ClassReference(name) => name
    case member: MemberReference => member.owner
  }
}

object AllowedMisses {
  private val client = "the published jars do not contain the client of this object store either"
  private val credentials =
    "only users who installed the client of this object store are given credentials for it"
  private val companion =
    "the trait carries the Scala signature of its companion; nothing mixes it in, so its methods never run"

  private val uc = "io/unitycatalog/hadoop/internal/auth"
  private val sources = "org/apache/spark/sql/delta/sources"

  /** A published trait that nothing mixes in. Its methods link to the published `DeltaSource`. */
  val unusedTrait = s"$sources/DeltaSourceMetadataEvolutionSupport"

  val all: Seq[AllowedMiss] = Seq(
    AllowedMiss("io/delta/dynamodbcommitcoordinator/", "com/amazonaws/", client),
    AllowedMiss("io/delta/storage/internal/S3LogStoreUtil", "org/apache/hadoop/fs/s3a/", client),
    AllowedMiss("io/delta/storage/internal/S3LogStoreUtil", "software/amazon/awssdk/", client),
    AllowedMiss(s"$uc/AwsVendedTokenProvider", "software/amazon/awssdk/", credentials),
    AllowedMiss(s"$uc/GcsVendedTokenProvider", "com/google/cloud/", credentials),
    AllowedMiss(s"$uc/AbfsVendedTokenProvider", "org/apache/hadoop/fs/azurebfs/", credentials),
    AllowedMiss(unusedTrait, s"$sources/DeltaSource", companion),
    AllowedMiss(unusedTrait, unusedTrait, companion)
  ) ++ LineMisses.all
}
