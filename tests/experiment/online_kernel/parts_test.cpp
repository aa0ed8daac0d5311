#include "choir/experiment/online_kernel/parts.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::ElementsAre;

// Sample n is (n), its label n mod 5.
TargetedSamples numbered(Index count) {
  TargetedSamples samples{.samples = Samples(1, count), .targets = Vector(count)};
  for (Index n = 0; n < count; ++n) {
    samples.samples(0, n) = static_cast<double>(n);
    samples.targets(n) = static_cast<double>(n % 5);
  }
  return samples;
}

std::set<double> labels_of(const TargetedSamples& part) { return {part.targets.begin(), part.targets.end()}; }

std::set<double> numbers_of(const TargetedSamples& part) {
  return {part.samples.reshaped().begin(), part.samples.reshaped().end()};
}

void expect_labels_followed(const TargetedSamples& part) {
  for (Index n = 0; n < part.targets.size(); ++n) {
    EXPECT_EQ(std::fmod(part.samples(0, n), 5), part.targets(n));
  }
}

TEST(OnlineParts, PermutedNodesSeeAllInOrdersOfTheirOwn) {
  const NodeParts parts = permuted(numbered(50), 3, 1);
  ASSERT_EQ(parts.size(), 3u);
  for (const TargetedSamples& part : parts) {
    EXPECT_EQ(numbers_of(part).size(), 50u);
    expect_labels_followed(part);
  }
  EXPECT_NE(parts[0].samples, parts[1].samples);
}

TEST(OnlineParts, DealtNodesShareNothing) {
  const NodeParts parts = dealt(numbered(50), 4, 1);
  std::set<double> all;
  for (const TargetedSamples& part : parts) {
    EXPECT_EQ(part.targets.size(), 12);
    all.merge(numbers_of(part));
    expect_labels_followed(part);
  }
  EXPECT_EQ(all.size(), 48u);
}

TEST(OnlineParts, TwoClassesAreTheNodesOwn) {
  const NodeParts parts = two_classes_each(numbered(50), {.nodes = 4, .classes = 5, .count = 200}, 1);
  EXPECT_THAT(labels_of(parts[0]), ElementsAre(0, 1));
  EXPECT_THAT(labels_of(parts[2]), ElementsAre(0, 4));
  EXPECT_THAT(labels_of(parts[3]), ElementsAre(1, 2));
  EXPECT_EQ(parts[0].targets.size(), 200);
  expect_labels_followed(parts[3]);
}

TEST(OnlineParts, TwoClassesWithoutACountAreAllOnceAndCutTogether) {
  TargetedSamples samples = numbered(50);
  samples.targets(0) = 2;  // leaves 9 of class 0 and makes 11 of class 2
  NodeParts parts = two_classes_each(samples, {.nodes = 2, .classes = 5}, 1);
  EXPECT_EQ(numbers_of(parts[0]).size(), 19u);
  EXPECT_EQ(numbers_of(parts[1]).size(), 21u);
  cut_to_shortest(parts);
  EXPECT_EQ(parts[0].targets.size(), 19);
  EXPECT_EQ(parts[1].targets.size(), 19);
  EXPECT_EQ(parts[1].samples.cols(), 19);
}

TEST(OnlineParts, LabelsTurnInSecondHalves) {
  NodeParts parts = {numbered(7)};
  rotate_second_halves(parts, 5);
  EXPECT_THAT(parts[0].targets, ElementsAre(0, 1, 2, 4, 0, 1, 2));
  EXPECT_THAT(rotated(numbered(5), 5).targets, ElementsAre(1, 2, 3, 4, 0));
}

TEST(OnlineParts, AWaveStaysInItsStripAndIsTheWave) {
  const Strip strip = strip_of(5, 8);
  EXPECT_DOUBLE_EQ(strip.from, 0.5);
  EXPECT_DOUBLE_EQ(strip.to, 1);
  const TargetedSamples drawn = wave(2000, strip, 0.05, 1, 5);
  EXPECT_GE(drawn.samples.row(0).minCoeff(), 0.5);
  EXPECT_LT(drawn.samples.row(0).maxCoeff(), 1);
  EXPECT_LT(drawn.samples.row(1).minCoeff(), -1.9);
  const Vector truth = (2 * drawn.samples.row(0).array()).sin() * (1.5 * drawn.samples.row(1).array()).cos();
  EXPECT_NEAR((drawn.targets - truth).norm() / std::sqrt(2000.0), 0.05, 0.005);
  EXPECT_NE(wave(9, strip, 0, 1, 5).samples, wave(9, strip, 0, 1, 6).samples);
}

TEST(OnlineParts, StreamsGoOnWithTheNextPass) {
  NodeParts parts = {numbered(3)};
  const SampleStreams streams = streams_of(std::move(parts), 2);
  EXPECT_THAT(streams[0]->next(4)->targets, ElementsAre(0, 1, 2, 0));
  EXPECT_THAT(streams[0]->next(4)->targets, ElementsAre(1, 2));
  EXPECT_FALSE(streams[0]->next(4));
}

TEST(DrawnStream, EndsAfterItsCountAndSkipsWhatItDraws) {
  const auto counting = [] {
    return drawn_stream(1, 5, [n = 0.0](Eigen::Ref<Vector> sample) mutable {
      sample(0) = n;
      return n++;
    });
  };
  const auto stream = counting();
  EXPECT_EQ(stream->features(), 1);
  EXPECT_THAT(stream->next(3)->targets, ElementsAre(0, 1, 2));
  EXPECT_THAT(stream->next(3)->targets, ElementsAre(3, 4));
  EXPECT_FALSE(stream->next(3));
  const auto skipped = counting();
  EXPECT_EQ(skipped->skip(4), 4u);
  EXPECT_THAT(skipped->next(3)->samples.reshaped(), ElementsAre(4));
  EXPECT_EQ(skipped->skip(4), 0u);
}

}  // namespace
}  // namespace choir
