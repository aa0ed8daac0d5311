// The small parts: options, participants, windows, messages.
#include <limits>

#include "graph/expect_error.h"
#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/learn/gossip_pca/change_window.h"
#include "choir/learn/gossip_pca/options.h"
#include "choir/learn/gossip_pca/participants.h"
#include "choir/learn/gossip_pca/summary_message.h"

namespace choir::gossip_pca {
namespace {

TEST(GossipPcaOptions, WordsAreReadAndWritten) {
  for (const char* word : {"samples", "coordinates"})
    EXPECT_EQ(to_string(parse_choice<Division>("partition", word)), word);
  for (const char* word : {"gram", "orthogonal-iterations", "late"}) {
    EXPECT_EQ(to_string(parse_choice<MergeRule>("merge", word)), word);
  }
  for (const char* word : {"rayleigh", "diagonal"})
    EXPECT_EQ(to_string(parse_choice<RitzValues>("ritz_values", word)), word);
  for (const char* word : {"random", "broadcast", "master", "fast-master", "tree"}) {
    EXPECT_EQ(to_string(parse_choice<Schedule>("schedule", word)), word);
  }
  for (const char* word : {"none", "landmarks", "random-features"}) {
    EXPECT_EQ(to_string(parse_choice<FeatureKind>("features", word)), word);
  }
  expect_error(ErrorCategory::InvalidArgument, {"schedule", "'often'", "fast-master"},
               [] { parse_choice<Schedule>("schedule", "often"); });
}

TEST(GossipPcaOptions, CarryMoreThanTheComponents) {
  Options options = plain_options(3, 10);
  EXPECT_EQ(carried_directions(options), 8);
  options.n_components.count = 10;
  EXPECT_EQ(carried_directions(options), 20);
  options.n_components.count = 30;
  EXPECT_EQ(carried_directions(options), 40);
  options.partition = Division::coordinates;
  EXPECT_EQ(carried_directions(options), 120);
  options.merge = MergeRule::orthogonal_iterations;
  EXPECT_EQ(carried_directions(options), 30);
  options.carry = 99;
  EXPECT_EQ(carried_directions(options), 99);
}

void expect_invalid(std::initializer_list<const char*> words, void (*change)(Options&)) {
  Options options = plain_options(5, 10);
  EXPECT_NO_THROW(validate(options));
  change(options);
  expect_error(ErrorCategory::InvalidArgument, words, [&] { validate(options); });
}

TEST(GossipPcaOptions, RefuseWhatCannotBe) {
  expect_invalid({"n_components", "0"}, [](auto& o) { o.n_components.count = 0; });
  expect_invalid({"carry", "4", "5"}, [](auto& o) { o.carry = 4; });
  expect_invalid({"messages"}, [](auto& o) { o.messages_per_node = 0; });
  expect_invalid({"window"}, [](auto& o) { o.window = 0; });
  expect_invalid({"max_t"}, [](auto& o) { o.max_t = 0; });
  expect_invalid({"tol"}, [](auto& o) { o.tol = -1; });
  expect_invalid({"interval"}, [](auto& o) { o.interval = Duration::zero(); });
  expect_invalid({"half_life"}, [](auto& o) { o.half_life = Duration::zero(); });
  expect_invalid({"kernel rbf", "landmarks"}, [](auto& o) { o.kernel.kind = KernelKind::rbf; });
  expect_invalid({"random-features", "linear"}, [](auto& o) { o.features = FeatureKind::random_features; });
  expect_invalid({"coordinates", "whole samples"}, [](auto& o) {
    o.partition = Division::coordinates;
    o.features = FeatureKind::landmarks;
  });
  expect_invalid({"unit"}, [](auto& o) {
    o.partition = Division::coordinates;
    o.preprocessing.standardize = Standardize::unit;
  });
  expect_invalid({"half_life", "tree"}, [](auto& o) {
    o.schedule = Schedule::tree;
    o.half_life = std::chrono::seconds(1);
  });
}

TEST(Participants, AreCountedOnce) {
  Participants mine(130, 3);
  Participants theirs(130, 129);
  EXPECT_EQ(mine.count(), 1);
  mine.add(theirs.words());
  mine.add(theirs.words());
  EXPECT_EQ(mine.count(), 2);
  mine.add(Participants(130, 63).words());  // the sign bit of a word
  EXPECT_EQ(mine.count(), 3);
}

const SummaryRule gram_rule{.merge = MergeRule::gram, .carry = 6};

TEST(ChangeWindow, ComparesTheEndOfAWindowWithItsBeginning) {
  const Summary first = summary_of_samples(spread_samples(8, 40, 1), gram_rule);
  const Summary second = summary_of_samples(spread_samples(8, 40, 2), gram_rule);
  ChangeWindow window(2, first);
  EXPECT_EQ(window.change(), std::numeric_limits<double>::infinity());
  window.saw(0.3);
  EXPECT_FALSE(window.is_full());
  window.saw(0.1);
  ASSERT_TRUE(window.is_full());
  window.close(second);
  EXPECT_GT(window.change(), 0.01);
  EXPECT_EQ(window.gap(), 0.3);
  window.saw(0);
  window.saw(0);
  window.close(second);
  EXPECT_EQ(window.change(), 0);
  EXPECT_EQ(window.gap(), 0);
  window.restart(second);
  EXPECT_EQ(window.change(), std::numeric_limits<double>::infinity());
}

TEST(ChangeWindow, DoesNotDependOnHowMuchWeightANodeHolds) {
  const Summary whole = summary_of_samples(spread_samples(8, 40, 1), gram_rule);
  Summary half = whole;
  take_share(half, 0.5);
  ChangeWindow window(1, whole);
  window.saw(0);
  window.close(half);
  EXPECT_LT(window.change(), 1e-15);
}

TEST(SummaryMessage, ArrivesAsItWasSent) {
  const Summary sent = summary_of_samples(spread_samples(8, 40, 1), gram_rule);
  const Participants participants(70, 66);
  const Message message = pack(sent, participants.words(), Kind::own_statistics);
  const SummaryShape shape{.rule = gram_rule, .dimension = 8, .nodes = 70};
  const PackedSummary got = unpack(message, shape, 1);
  EXPECT_EQ(got.summary.weight, 40);
  EXPECT_EQ(got.summary.trace, sent.trace);
  EXPECT_EQ(got.summary.sum, sent.sum);
  EXPECT_EQ(got.summary.values, sent.values);
  EXPECT_EQ(got.summary.basis.data(), sent.basis.data()) << "shared, not copied";
  EXPECT_EQ(got.participants, participants.words());
}

void expect_refused(const Summary& summary, Index nodes, std::initializer_list<const char*> words,
                    ErrorCategory category = ErrorCategory::PeerLost) {
  const SummaryShape shape{.rule = gram_rule, .dimension = 8, .nodes = 70};
  expect_error(category, words, [&] {
    unpack(pack(summary, Participants(nodes, 0).words(), Kind::own_statistics), shape, 12);
  });
}

TEST(SummaryMessage, WhatNoSummaryCouldBeIsRefused) {
  const Summary good = summary_of_samples(spread_samples(8, 40, 1), gram_rule);
  expect_refused(summary_of_samples(spread_samples(9, 40, 1), gram_rule), 70,
                 {"node 12", "9 dimensions", "8"}, ErrorCategory::BadData);
  expect_refused(good, 20, {"node 12"});
  Summary bad = good;
  bad.weight = -1;
  expect_refused(bad, 70, {"node 12"});
  bad = good;
  bad.trace = std::numeric_limits<double>::quiet_NaN();
  expect_refused(bad, 70, {"node 12"});
  bad = good;
  bad.sum.resize(3);
  expect_refused(bad, 70, {"node 12"});
  bad = good;
  bad.values(1) = -1;
  expect_refused(bad, 70, {"node 12"});
  bad = good;
  bad.values.conservativeResize(3);
  expect_refused(bad, 70, {"node 12"});
  bad = good;
  bad.basis = Array(Matrix(Matrix::Constant(8, 6, std::numeric_limits<double>::infinity())));
  expect_refused(bad, 70, {"node 12"});
  expect_error(ErrorCategory::BadData, {}, [] {
    unpack(Message(Kind::own_statistics), {.rule = gram_rule, .dimension = 8, .nodes = 70}, 12);
  });
}

}  // namespace
}  // namespace choir::gossip_pca
