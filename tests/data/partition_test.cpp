#include "choir/data/partition.h"

#include <algorithm>
#include <map>
#include <set>

#include "data/support.h"

#include "choir/base/rng.h"

namespace choir {
namespace {

std::string refusal(const char* spec, Index nodes, const PartitionSubject& subject) {
  return sentence(ErrorCategory::InvalidArgument,
                  [&] { partition(parse_partition(spec), nodes, subject, 1); });
}

// All indices that were given, checked to be given once and to be in range.
std::set<Index> given(const Partition& parts, Index count) {
  std::set<Index> all;
  for (const std::vector<Index>& part : parts) {
    for (const Index index : part) {
      EXPECT_TRUE(all.insert(index).second) << index << " is given twice";
      EXPECT_TRUE(index >= 0 && index < count);
    }
  }
  return all;
}

std::pair<std::size_t, std::size_t> extreme_sizes(const Partition& parts) {
  const auto [low, high] = std::ranges::minmax(parts, {}, &std::vector<Index>::size);
  return {low.size(), high.size()};
}

std::vector<std::int64_t> some_labels(Index count, std::uint64_t classes, std::uint64_t seed) {
  Rng rng(seed, Purpose("test labels"));
  std::vector<std::int64_t> labels;
  for (Index n = 0; n < count; ++n) labels.push_back(10 * static_cast<std::int64_t>(rng.below(classes)) - 20);
  return labels;
}

TEST(PartitionSpec, IsReadAndWritten) {
  for (const char* text : {"iid", "label:2", "sizes:50..200", "features"}) {
    EXPECT_EQ(to_string(parse_partition(text)), text);
  }
  EXPECT_EQ(to_string(parse_partition("sizes:7")), "sizes:7..7");
  for (const char* bad : {"", "idd", "label", "label:", "label:0", "label:x", "label:-1",
                          "sizes:", "sizes:1..", "sizes:..3", "sizes:0..3", "sizes:5..3", "features:2"}) {
    EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { parse_partition(bad); }),
                AllOf(HasSubstr("not a partition"), HasSubstr(bad)))
        << bad;
  }
}

TEST(PartitionIid, CoversAllSamplesOnceWithEqualSizes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed, Purpose("test"));
    const Index samples = 1 + static_cast<Index>(rng.below(200));
    const Index nodes = 1 + static_cast<Index>(rng.below(static_cast<std::uint64_t>(samples)));
    const Partition parts = partition({}, nodes, {.samples = samples, .features = 3}, seed);
    EXPECT_EQ(std::ssize(parts), nodes);
    EXPECT_EQ(std::ssize(given(parts, samples)), samples);
    const auto [low, high] = extreme_sizes(parts);
    EXPECT_LE(high - low, 1u);
    EXPECT_GE(low, 1u);
  }
}

TEST(PartitionIid, GivesExactlyAsManyAsAsked) {
  const Partition parts = partition({.samples_per_node = 10}, 5, {.samples = 57, .features = 1}, 3);
  EXPECT_EQ(extreme_sizes(parts), std::pair(std::size_t{10}, std::size_t{10}));
  EXPECT_EQ(given(parts, 57).size(), 50u);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument,
                       [] { partition({.samples_per_node = 12}, 5, {.samples = 57, .features = 1}, 3); }),
              AllOf(HasSubstr("5 nodes with 12 samples"), HasSubstr("57")));
}

TEST(Partition, IsTheSameForTheSameSeedOnly) {
  const std::vector<std::int64_t> labels = some_labels(300, 4, 5);
  const PartitionSubject subject{.samples = 300, .features = 40, .labels = labels};
  for (const char* text : {"iid", "label:2", "sizes:5..20", "features"}) {
    const PartitionSpec spec = parse_partition(text);
    EXPECT_EQ(partition(spec, 6, subject, 1), partition(spec, 6, subject, 1)) << text;
    EXPECT_NE(partition(spec, 6, subject, 1), partition(spec, 6, subject, 2)) << text;
  }
}

TEST(PartitionLabel, GivesNodeJItsLabelsInEqualCounts) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed, Purpose("test"));
    const std::vector<std::int64_t> labels = some_labels(600, 5, seed);  // -20, -10, 0, 10, 20
    const Index per_node = 1 + static_cast<Index>(rng.below(5));
    const Index nodes = 1 + static_cast<Index>(rng.below(12));
    const PartitionSpec spec{.kind = PartitionKind::label, .labels_per_node = per_node};
    const Partition parts = partition(spec, nodes, {.samples = 600, .features = 1, .labels = labels}, seed);
    given(parts, 600);
    std::set<Index> counts_seen;
    for (Index j = 0; j < nodes; ++j) {
      std::map<std::int64_t, Index> counts;
      for (const Index sample : parts[static_cast<std::size_t>(j)])
        ++counts[labels[static_cast<std::size_t>(sample)]];
      std::set<std::int64_t> expected;
      for (Index i = 0; i < per_node; ++i) expected.insert(10 * ((j + i) % 5) - 20);
      std::set<std::int64_t> got;
      for (const auto& [label, count] : counts) {
        got.insert(label);
        counts_seen.insert(count);
      }
      EXPECT_EQ(got, expected) << "node " << j;
    }
    EXPECT_EQ(counts_seen.size(), 1u) << "all nodes have as many of each label";
  }
}

TEST(PartitionLabel, UsesAsManyAsTheScarcestLabelAllows) {
  const std::vector<std::int64_t> labels = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  const Partition parts =
      partition(parse_partition("label:1"), 4, {.samples = 12, .features = 1, .labels = labels}, 1);
  EXPECT_EQ(extreme_sizes(parts),
            std::pair(std::size_t{2}, std::size_t{2}));  // nodes 0 and 2 share five zeros
}

TEST(PartitionLabel, SaysWhatIsMissing) {
  EXPECT_THAT(refusal("label:2", 3, {.samples = 10, .features = 1}), HasSubstr("needs labels"));
  const std::vector<std::int64_t> labels = {4, 4, 4, 4, 9};
  const PartitionSubject subject{.samples = 5, .features = 1, .labels = labels};
  EXPECT_THAT(refusal("label:3", 2, subject),
              AllOf(HasSubstr("3 labels per node"), HasSubstr("there are 2")));
  EXPECT_THAT(refusal("label:1", 4, subject),
              AllOf(HasSubstr("runs out of label 9 at node 3"), HasSubstr("1 samples and 2 nodes")));
  const PartitionSpec greedy{.kind = PartitionKind::label, .labels_per_node = 1, .samples_per_node = 3};
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { partition(greedy, 2, subject, 1); }),
              HasSubstr("runs out of label 9 at node 1"));
}

TEST(PartitionSizes, DrawsSizesInTheRange) {
  std::set<std::size_t> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Partition parts = partition(parse_partition("sizes:3..6"), 7, {.samples = 50, .features = 1}, seed);
    given(parts, 50);
    for (const std::vector<Index>& part : parts) seen.insert(part.size());
  }
  EXPECT_EQ(seen, (std::set<std::size_t>{3, 4, 5, 6}));
}

TEST(PartitionSizes, SaysWhereItRunsOut) {
  EXPECT_THAT(refusal("sizes:30..30", 4, {.samples = 100, .features = 1}),
              AllOf(HasSubstr("runs out of samples at node 3"), HasSubstr("90 are used"),
                    HasSubstr("there are 100")));
}

TEST(PartitionFeatures, CoversAllFeaturesOnceInOrder) {
  const Partition parts = partition(parse_partition("features"), 5, {.samples = 2, .features = 23}, 9);
  EXPECT_EQ(given(parts, 23).size(), 23u);
  const auto [low, high] = extreme_sizes(parts);
  EXPECT_EQ(low, 4u);
  EXPECT_EQ(high, 5u);
  for (const std::vector<Index>& part : parts) EXPECT_TRUE(std::ranges::is_sorted(part));
}

TEST(Partition, RefusesMoreNodesThanThings) {
  EXPECT_THAT(refusal("iid", 5, {.samples = 4, .features = 9}),
              AllOf(HasSubstr("5 nodes cannot share 4 samples"), HasSubstr("fewer nodes")));
  EXPECT_THAT(refusal("features", 5, {.samples = 9, .features = 4}),
              HasSubstr("5 nodes cannot share 4 features"));
  EXPECT_THAT(refusal("iid", 0, {.samples = 4, .features = 9}), HasSubstr("at least 1"));
}

TEST(SplitSamples, GivesEveryNodeThePartThatPartitionNames) {
  Dataset dataset;
  dataset.samples = Samples::Random(6, 20);
  const std::vector<Samples> shards = split_samples(dataset, "iid", 3, 7);
  const Partition parts = partition(parse_partition("iid"), 3, dataset, 7);
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(shards[1].col(2), dataset.samples.col(parts[1][2]));
  EXPECT_EQ(shards[2].cols(), std::ssize(parts[2]));
  const std::vector<Samples> by_feature = split_samples(dataset, "features", 2, 7);
  EXPECT_EQ(by_feature[0].rows() + by_feature[1].rows(), 6);
  EXPECT_EQ(by_feature[0].cols(), 20);
}

}  // namespace
}  // namespace choir
