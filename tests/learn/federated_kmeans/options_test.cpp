#include "choir/learn/federated_kmeans/options.h"

#include <functional>

#include "codec/support.h"
#include <gtest/gtest.h>

namespace choir::federated_kmeans {
namespace {

using Options = Options;

std::string refusal(const std::function<void(Options&)>& spoil) {
  Options options;
  spoil(options);
  return sentence(ErrorCategory::InvalidArgument, [&] { validate(options); });
}

TEST(FederatedKmeansOptions, DefaultsAreFine) { EXPECT_NO_THROW(validate(Options{})); }

TEST(FederatedKmeansOptions, NamesAreReadBack) {
  for (const auto choice : {Embedding::nystroem, Embedding::fea, Embedding::random_features})
    EXPECT_EQ(parse_choice<Embedding>("embedding", to_string(choice)), choice);
  for (const auto choice :
       {EigenRoute::cheapest, EigenRoute::gram, EigenRoute::cela, EigenRoute::capped_cela})
    EXPECT_EQ(parse_choice<EigenRoute>("eigen_route", to_string(choice)), choice);
  for (const auto choice : {Seeding::centroids, Seeding::parallel})
    EXPECT_EQ(parse_choice<Seeding>("seeding", to_string(choice)), choice);
  for (const auto choice : {Coordination::server, Coordination::gossip})
    EXPECT_EQ(parse_choice<Coordination>("coordination", to_string(choice)), choice);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { parse_choice<Embedding>("embedding", "pca"); }),
              HasSubstr("nystroem, fea, random-features"));
}

TEST(FederatedKmeansOptions, WhatCannotBeIsRefusedWithTheReason) {
  EXPECT_THAT(refusal([](Options& o) { o.n_clusters = 0; }), HasSubstr("n_clusters is 0"));
  EXPECT_THAT(refusal([](Options& o) { o.rank = 0; }), HasSubstr("rank is 0"));
  EXPECT_THAT(refusal([](Options& o) { o.max_clusters = 1; }), HasSubstr("max_clusters is 1"));
  EXPECT_THAT(refusal([](Options& o) { o.restarts = 0; }), HasSubstr("restarts is 0"));
  EXPECT_THAT(refusal([](Options& o) { o.tol = -1; }), HasSubstr("tol is -1"));
  EXPECT_THAT(refusal([](Options& o) { o.rank = 101; }), HasSubstr("raise n_landmarks"));
  EXPECT_THAT(refusal([](Options& o) {
                o.embedding = Embedding::fea;
                o.kernel.kind = KernelKind::poly;
              }),
              HasSubstr("the embedding fea needs random features"));
  EXPECT_THAT(refusal([](Options& o) { o.seeding = Seeding::parallel; }),
              HasSubstr("sends single embedded samples"));
  EXPECT_THAT(refusal([](Options& o) {
                o.coordination = Coordination::gossip;
                o.masks = Masks::on;
              }),
              HasSubstr("masks cancel in one sum over all devices"));
  EXPECT_THAT(refusal([](Options& o) {
                o.coordination = Coordination::gossip;
                o.masks = Masks::off;
                o.embedding = Embedding::fea;
              }),
              HasSubstr("basis of its last iteration"));
  EXPECT_THAT(refusal([](Options& o) {
                o.coordination = Coordination::gossip;
                o.masks = Masks::off;
                o.eigen_route = EigenRoute::cela;
              }),
              HasSubstr("eigen_route cela needs a server"));
}

TEST(FederatedKmeansOptions, UnmaskedSumsNeedMoreSamplesThanTheyHaveRows) {
  Options options;
  EXPECT_EQ(fewest_unmasked(options), 100);
  options.embedding = Embedding::fea;
  EXPECT_EQ(fewest_unmasked(options), 420);
  options.embedding = Embedding::random_features;
  EXPECT_EQ(fewest_unmasked(options), 400);
}

TEST(FederatedKmeansOptions, RanksFollowTheTraceWhereItIsKnown) {
  Options options;
  EXPECT_TRUE(ranks_by_trace(options));
  EXPECT_EQ(embedding_rank(options), 100) << "at most";
  options.eigen_route = EigenRoute::cela;
  EXPECT_FALSE(ranks_by_trace(options));
  EXPECT_EQ(embedding_rank(options), 20);
  options = {.n_clusters = {}, .max_clusters = 7, .embedding = Embedding::fea};
  EXPECT_FALSE(ranks_by_trace(options));
  EXPECT_EQ(embedding_rank(options), 14);
  options.rank = 5;
  EXPECT_EQ(embedding_rank(options), 5);
}

TEST(FederatedKmeansOptions, RestartsAreAsManyAsSendFewNumbers) {
  Options options;
  EXPECT_EQ(restart_count(options, 2, 4), 100);
  EXPECT_EQ(restart_count(options, 5, 18), 50);
  EXPECT_EQ(restart_count(options, 10, 70), 10);
  options.restarts = 7;
  EXPECT_EQ(restart_count(options, 2, 4), 7);
}

TEST(FederatedKmeansOptions, LocalCentroidsFollowLandmarksClustersAndSamples) {
  Options options;
  EXPECT_EQ(local_centroid_count(options, 100, 600), 20);
  EXPECT_EQ(local_centroid_count(options, 5, 6000), 40);
  EXPECT_EQ(local_centroid_count(options, 100, 60), 12);
  EXPECT_EQ(local_centroid_count(options, 100, 4), 1);
  options.local_centroids = 7;
  EXPECT_EQ(local_centroid_count(options, 100, 600), 7);
}

}  // namespace
}  // namespace choir::federated_kmeans
