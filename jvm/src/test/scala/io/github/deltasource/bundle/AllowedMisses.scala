// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/** References from one place to another that may stay unlinked, and why that harms nobody. */
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
  private val client = "the published jars leave the client of this object store to the user as well"
  private val credentials = "only those are given credentials for this object store who brought its client"
  private val companion =
    "the trait stays for the Scala signature of its companion, which it carries; nothing mixes it in, so its bodies never run"

  private val uc = "io/unitycatalog/hadoop/internal/auth"
  private val sources = "org/apache/spark/sql/delta/sources"

  /** Published, kept, and mixed into nothing: its bodies speak of the published `DeltaSource`. */
  val orphanedTrait = s"$sources/DeltaSourceMetadataEvolutionSupport"

  val all: Seq[AllowedMiss] = Seq(
    AllowedMiss("io/delta/dynamodbcommitcoordinator/", "com/amazonaws/", client),
    AllowedMiss("io/delta/storage/internal/S3LogStoreUtil", "org/apache/hadoop/fs/s3a/", client),
    AllowedMiss("io/delta/storage/internal/S3LogStoreUtil", "software/amazon/awssdk/", client),
    AllowedMiss(s"$uc/AwsVendedTokenProvider", "software/amazon/awssdk/", credentials),
    AllowedMiss(s"$uc/GcsVendedTokenProvider", "com/google/cloud/", credentials),
    AllowedMiss(s"$uc/AbfsVendedTokenProvider", "org/apache/hadoop/fs/azurebfs/", credentials),
    AllowedMiss(orphanedTrait, s"$sources/DeltaSource", companion),
    AllowedMiss(orphanedTrait, orphanedTrait, companion)
  )
}
