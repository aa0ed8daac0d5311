// Two nodes exchange their shards: every total stays, and what the methods that claim to show totals alone
// send looks the same. So nobody who sees all messages of all nodes can tell whose a sample is. On every
// engine.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "engine/suite_engine.h"
#include "learn/central/toy.h"
#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"

namespace choir {
namespace {

constexpr Index nodes = 7;
constexpr Index samples_each = 60;
constexpr Index features = 4;
constexpr double rounding = 1e-6;  // of totals whose summands were put into fixed point elsewhere

const Graph& network() {
  static const Graph graph = make_topology("tree:2", nodes, 0);
  return graph;
}

enum class Leaves { in_place, exchanged };

// Whose samples a node has: 4 and 6 are leaves with different parents.
std::uint64_t samples_of(NodeId node, Leaves leaves) {
  if (leaves == Leaves::exchanged && (node == 4 || node == 6)) return 10 - static_cast<std::uint64_t>(node);
  return static_cast<std::uint64_t>(node);
}

// Of different spreads, so that a clear sum over one node's samples tells which they are.
Samples shard(std::uint64_t whose) {
  const auto spread = 1 + 0.2 * static_cast<double>(whose);
  return spread * testing_toys::falling_scales(features, samples_each, 100 + whose);
}

// A message as a listener reads it. Masked words, keys and signatures are other bits in every run.
struct Glimpse {
  NodeId to;
  Kind kind;
  std::vector<Index> shape;
  std::vector<double> numbers;
};

using Sent = std::map<NodeId, std::vector<Glimpse>>;  // by sender, in its order

Glimpse glimpse_of(NodeId to, const Message& message) {
  Glimpse seen{.to = to, .kind = message.kind(), .shape = {}, .numbers = {}};
  for (const std::int64_t value : message.integers()) seen.numbers.push_back(static_cast<double>(value));
  for (const double value : message.numbers()) seen.numbers.push_back(value);
  const std::set<Kind> random_words = {Kind::masked, Kind::control};
  for (const Array& array : message.arrays()) {
    seen.shape.insert(seen.shape.end(), {array.rows(), array.columns()});
    if (array.type() == ArrayType::float64) {
      for (const double value : array.matrix().reshaped()) seen.numbers.push_back(value);
    } else if (!random_words.contains(message.kind())) {
      for (const std::int64_t word : array.integers().reshaped())
        seen.numbers.push_back(static_cast<double>(word));
    }
  }
  return seen;
}

Sent sent_in(const std::function<void(const RunOptions&)>& run) {
  Sent sent;
  std::mutex mutex;
  run({.seed = 3, .audit = [&](NodeId from, NodeId to, const Message& message) {
         const std::lock_guard lock(mutex);
         sent[from].push_back(glimpse_of(to, message));
       }});
  return sent;
}

bool looks_like(const Glimpse& a, const Glimpse& b) {
  if (a.to != b.to || a.kind != b.kind || a.shape != b.shape || a.numbers.size() != b.numbers.size())
    return false;
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    const double scale = std::max({1.0, std::abs(a.numbers[i]), std::abs(b.numbers[i])});
    if (!(std::abs(a.numbers[i] - b.numbers[i]) <= rounding * scale)) return false;
  }
  return true;
}

// The kinds of messages that look different, or that are more of in one.
std::set<Kind> differences(const Sent& a, const Sent& b) {
  std::set<Kind> found;
  for (const auto& [from, glimpses] : a) {
    const std::vector<Glimpse>& others = b.at(from);
    for (std::size_t i = 0; i < std::max(glimpses.size(), others.size()); ++i) {
      const Glimpse& seen = i < glimpses.size() ? glimpses[i] : others[i];
      const bool in_both = i < glimpses.size() && i < others.size();
      if (!in_both || !looks_like(seen, others[i])) found.insert(seen.kind);
    }
  }
  return found;
}

Sent sent_by_kernel_pca(const consensus_kpca::Options& options, Leaves leaves) {
  Engine& engine = *suite_engine();
  return sent_in([&](const RunOptions& run) {
    const NodeRange own = engine.own_nodes(nodes);
    std::vector<Samples> shards;
    for (NodeId node = own.first; node < own.last; ++node) shards.push_back(shard(samples_of(node, leaves)));
    fit_consensus_kpca(engine, network(), Shards(std::move(shards)), options, run);
  });
}

std::set<Kind> told_by_kernel_pca(const consensus_kpca::Options& options) {
  return differences(sent_by_kernel_pca(options, Leaves::in_place),
                     sent_by_kernel_pca(options, Leaves::exchanged));
}

consensus_kpca::Options kernel_pca(consensus_kpca::Share share) {
  consensus_kpca::Options options;
  options.kernel.kind = KernelKind::rbf;
  options.gamma = parse_gamma("scale");
  options.preprocessing.standardize = Standardize::zscore;
  options.n_components.count = 2;
  options.share = share;
  options.n_landmarks = 20;
  options.n_features = 60;
  return options;
}

TEST(ExchangedShards, AreNotSeenInKernelPcaByLandmarks) {
  EXPECT_EQ(told_by_kernel_pca(kernel_pca(consensus_kpca::Share::landmarks)), std::set<Kind>());
}

TEST(ExchangedShards, AreNotSeenInKernelPcaByRandomFeatures) {
  EXPECT_EQ(told_by_kernel_pca(kernel_pca(consensus_kpca::Share::random_features)), std::set<Kind>());
}

// The same listener sees them at once where nothing is masked.
TEST(ExchangedShards, AreSeenWhereNeighboursAverage) {
  consensus_kpca::Options options = kernel_pca(consensus_kpca::Share::landmarks);
  options.agree = consensus_kpca::Agree::consensus;
  EXPECT_TRUE(told_by_kernel_pca(options).contains(Kind::own_statistics));
}

Sent sent_by_streams(online_kernel::Representation representation, Leaves leaves) {
  Engine& engine = *suite_engine();
  online_kernel::Options options = testing::mixture_options(online_kernel::Consensus::diffusion);
  options.representation = representation;
  options.n_features = options.n_landmarks = 20;
  options.gamma = parse_gamma("scale");
  options.preprocessing.standardize = Standardize::zscore;
  return sent_in([&](const RunOptions& run) {
    const NodeRange own = engine.own_nodes(nodes);
    std::vector<TargetedSamples> data;
    for (NodeId node = own.first; node < own.last; ++node) {
      data.push_back(testing::Mixtures(3).draw(200, 1 + samples_of(node, leaves)));
      data.back().samples.array() += 0.2 * static_cast<double>(samples_of(node, leaves));
    }
    fit_online_kernel(engine, network(), testing::streams_of(data), options, run);
  });
}

std::set<Kind> told_by_streams(online_kernel::Representation representation) {
  return differences(sent_by_streams(representation, Leaves::in_place),
                     sent_by_streams(representation, Leaves::exchanged));
}

TEST(ExchangedShards, AreNotSeenInMomentsOfStreams) {
  EXPECT_EQ(told_by_streams(online_kernel::Representation::random_features), std::set<Kind>());
  EXPECT_EQ(told_by_streams(online_kernel::Representation::landmarks), std::set<Kind>());
}

TEST(ExchangedShards, AreSeenInDictionaries) {
  EXPECT_TRUE(told_by_streams(online_kernel::Representation::dictionary).contains(Kind::raw_samples));
}

}  // namespace
}  // namespace choir
