// Which samples every node sees, and in which order.
//
//   const NodeParts parts = two_classes_each(train, {.nodes = 10, .classes = 5, .count = 4992}, seed);
//   fit_online_kernel(*engine, graph, streams_of(parts), options);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "choir/data/stream.h"

namespace choir {

using NodeParts = std::vector<TargetedSamples>;  // of the nodes
using SampleStreams = std::vector<std::unique_ptr<SampleStream>>;

// Every node sees all samples, each in its own order.
NodeParts permuted(const TargetedSamples& samples, Index nodes, std::uint64_t seed);
// Equal parts in random order.
NodeParts dealt(const TargetedSamples& samples, Index nodes, std::uint64_t seed);

// Node i sees the classes 2i and 2i + 1, modulo their number.
struct TwoClasses {
  Index nodes = 10;
  Index classes = 5;
  Index count = 0;  // drawn with replacement; 0: all of these classes in random order, each once
};
NodeParts two_classes_each(const TargetedSamples& samples, const TwoClasses& spec, std::uint64_t seed);

// Streams then end together.
void cut_to_shortest(NodeParts& parts);

// From the middle of every part on, a label stands for the next class.
void rotate_second_halves(NodeParts& parts, Index classes);
TargetedSamples rotated(TargetedSamples samples, Index classes);

// y = sin(2 x_1) cos(1.5 x_2) + noise, x uniform in [from, to) x [-2, 2).
struct Strip {
  double from = -2;
  double to = 2;
};
Strip strip_of(NodeId node, Index nodes);  // of equal width, from left to right
TargetedSamples wave(Index count, const Strip& strip, double noise, std::uint64_t seed, std::uint64_t node);

SampleStreams streams_of(NodeParts parts, Index passes = 1);

// A long stream without the memory: `draw` fills a sample and returns its target.
std::unique_ptr<SampleStream> drawn_stream(Index features, std::uint64_t count,
                                           std::function<double(Eigen::Ref<Vector>)> draw);

}  // namespace choir
