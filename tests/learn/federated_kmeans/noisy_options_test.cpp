#include "choir/learn/federated_kmeans/noisy_options.h"

#include <functional>

#include "codec/support.h"
#include <gtest/gtest.h>

namespace choir::federated_kmeans::noisy_options_test {
namespace {

using ::testing::HasSubstr;

Options private_options() {
  Options options;
  options.privacy.epsilon = 1;
  options.gamma = parse_gamma("0.02");
  return with_noisy_defaults(options, {});
}

std::string refusal(const std::function<void(Options&)>& spoil) {
  Options options = private_options();
  spoil(options);
  return sentence(ErrorCategory::InvalidArgument, [&] { validate(options); });
}

TEST(NoisyOptions, DefaultsAreRandomFeaturesFewOfThemAndAFewRounds) {
  const Options options = private_options();
  EXPECT_EQ(options.embedding, Embedding::random_features);
  EXPECT_EQ(options.n_features, default_noisy_features);
  EXPECT_EQ(options.max_iter, default_noisy_rounds);
  EXPECT_NO_THROW(validate(options));
}

TEST(NoisyOptions, WhatSomebodyChoseStays) {
  const Options usual;
  const Options kept = with_noisy_defaults(usual, {.embedding = true, .n_features = true, .max_iter = true});
  EXPECT_EQ(kept.embedding, usual.embedding);
  EXPECT_EQ(kept.n_features, usual.n_features);
  EXPECT_EQ(kept.max_iter, usual.max_iter);
  Options other;  // without words, as a program gives them
  other.embedding = Embedding::fea;
  other.n_features = 60;
  other.max_iter = 3;
  other = with_noisy_defaults(other, {});
  EXPECT_EQ(other.embedding, Embedding::fea);
  EXPECT_EQ(other.n_features, 60);
  EXPECT_EQ(other.max_iter, 3);
}

TEST(NoisyOptions, WhatWouldShowMoreIsRefusedWithWhatToDo) {
  EXPECT_THAT(refusal([](Options& o) { o.coordination = Coordination::gossip; }), HasSubstr("use a server"));
  EXPECT_THAT(refusal([](Options& o) { o.masks = Masks::off; }), HasSubstr("use --masks on"));
  EXPECT_THAT(refusal([](Options& o) { o.embedding = Embedding::nystroem; }),
              HasSubstr("use --embedding random-features"));
  EXPECT_THAT(refusal([](Options& o) { o.embedding = Embedding::fea; }),
              HasSubstr("use --embedding random-features"));
  EXPECT_THAT(refusal([](Options& o) { o.kernel.kind = KernelKind::linear; }),
              HasSubstr("use --kernel rbf or laplacian"));
  EXPECT_THAT(refusal([](Options& o) { o.n_features = 201; }), HasSubstr("use an even number"));
  EXPECT_THAT(refusal([](Options& o) { o.gamma = parse_gamma("scale"); }), HasSubstr("choose a number"));
  EXPECT_THAT(refusal([](Options& o) { o.gamma = parse_gamma("median"); }), HasSubstr("choose a number"));
  EXPECT_THAT(refusal([](Options& o) { o.preprocessing.standardize = Standardize::zscore; }),
              HasSubstr("use --divide"));
  EXPECT_THAT(refusal([](Options& o) { o.n_clusters.reset(); }), HasSubstr("choose a number"));
  EXPECT_THAT(refusal([](Options& o) { o.restarts = 2; }), HasSubstr("every restart would take a part"));
  EXPECT_THAT(refusal([](Options& o) { o.rank = 10; }), HasSubstr("choose --n-features"));
  EXPECT_THAT(refusal([](Options& o) { o.eigen_route = EigenRoute::cela; }), HasSubstr("omit it"));
  EXPECT_THAT(refusal([](Options& o) { o.privacy.epsilon = -1; }), HasSubstr("privacy is -1"));
  EXPECT_THAT(refusal([](Options& o) { o.privacy.delta = 1; }), HasSubstr("delta is 1"));
}

TEST(NoisyOptions, WithoutDifferentialPrivacyAllOfItIsAllowed) {
  Options options;
  options.rank = 10;
  options.eigen_route = EigenRoute::cela;
  options.n_clusters.reset();
  EXPECT_NO_THROW(validate(options));
}

}  // namespace
}  // namespace choir::federated_kmeans::noisy_options_test
