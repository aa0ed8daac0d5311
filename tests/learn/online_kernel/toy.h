// Data, streams and networks that the tests of online-kernel share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/expect_error.h"

#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/runtime/engine.h"

namespace choir::testing {

using Streams = std::vector<std::unique_ptr<SampleStream>>;

// Samples in memory, once from the beginning to the end.
std::unique_ptr<SampleStream> memory_stream(TargetedSamples data);
Streams streams_of(const std::vector<TargetedSamples>& data);
TargetedSamples first_of(const TargetedSamples& data, Index count);
TargetedSamples chosen_of(const TargetedSamples& data, const std::vector<Index>& which);

// The paper's classes: 5 mixtures of 3 Gaussians in the plane, about means that are themselves drawn about
// the corners of a pentagon. Variance 0.04.
struct Mixtures {
  explicit Mixtures(std::uint64_t seed);
  TargetedSamples draw(Index count, std::uint64_t seed) const;
  // Share of samples that the best possible classifier gets right.
  double bayes_accuracy(const TargetedSamples& data) const;

  static constexpr Index classes = 5;
  static constexpr Index modes = 3;
  Samples means;  // 2 x 15, class by class
};
// Every node its own order of the same samples.
std::vector<TargetedSamples> permuted(const TargetedSamples& data, Index nodes, std::uint64_t seed);
// Node i has samples of classes 2i and 2i + 1 (mod 5) alone, drawn with replacement.
std::vector<TargetedSamples> skewed(const TargetedSamples& data, Index nodes, Index count,
                                    std::uint64_t seed);

// y = sin(2 x1) cos(1.5 x2) + 0.05 noise on [-2, 2]^2; strip i of n: x1 in the i-th of n equal parts.
TargetedSamples waves(Index count, double low, double high, double noise, std::uint64_t seed);
std::vector<TargetedSamples> strips(Index nodes, Index count, std::uint64_t seed);

// The paper's: logistic, gamma 1 / (2 * 0.36).
online_kernel::Options mixture_options(online_kernel::Consensus consensus);
online_kernel::Options wave_options(online_kernel::Consensus consensus);

online_kernel::Fit simulate(const std::vector<TargetedSamples>& data, const online_kernel::Options& options,
                            const std::string& topology, const online_kernel::Hooks& hooks = {});

Matrix scores_of(const online_kernel::NodeResult& fit, const Samples& samples);
double accuracy_of(const online_kernel::NodeResult& fit, const TargetedSamples& test);
double rmse_of(const online_kernel::NodeResult& fit, const TargetedSamples& test);
double mean_over_nodes(const online_kernel::Fit& fit,
                       const std::function<double(const online_kernel::NodeResult&)>& quality);
double worst_node(const online_kernel::Fit& fit,
                  const std::function<double(const online_kernel::NodeResult&)>& quality);

// Equal in all bits.
void expect_same(const online_kernel::State& a, const online_kernel::State& b);

}  // namespace choir::testing

// The names that nearly every test here uses.
namespace choir::online_kernel {

using testing::accuracy_of;
using testing::expect_error;
using testing::expect_same;
using testing::first_of;
using testing::mean_over_nodes;
using testing::mixture_options;
using testing::Mixtures;
using testing::permuted;
using testing::rmse_of;
using testing::simulate;
using testing::skewed;
using testing::Streams;
using testing::streams_of;
using testing::strips;
using testing::wave_options;
using testing::waves;
using testing::worst_node;

}  // namespace choir::online_kernel
