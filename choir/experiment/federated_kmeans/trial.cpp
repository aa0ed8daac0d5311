#include "choir/experiment/federated_kmeans/trial.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "choir/base/rng.h"
#include "choir/data/shards.h"
#include "choir/graph/regular.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/gram.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

constexpr Purpose images_purpose("federated-experiment-images");
constexpr Purpose drop_out_purpose("federated-experiment-drop-out");
constexpr double brightest = 255;
constexpr double gamma_over_median = 4;
constexpr Index neighbours_on_the_ring = 4;
constexpr Index central_restarts = 5;  // as many as the central runs that they are compared with

}  // namespace

ClusterTrial cluster_trial(const Dataset& digits, Index samples, std::uint64_t seed) {
  Rng random(seed, images_purpose);
  ClusterTrial trial{.seed = seed,
                     .images = take_samples(digits, random.choose(samples, digits.size())),
                     .kernel = {},
                     .gram = {}};
  Samples& pixels = trial.images.samples;
  pixels /= brightest;
  trial.kernel = {.kind = KernelKind::rbf, .gamma = gamma_over_median * gamma_median(pixels, seed)};
  trial.gram = gram<double>(trial.kernel, pixels, pixels);
  return trial;
}

std::vector<Index> as_drawn(const Dataset& images) {
  std::vector<Index> order(static_cast<std::size_t>(images.size()));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

std::vector<Index> by_label(const Dataset& images) {
  std::vector<Index> order = as_drawn(images);
  std::ranges::stable_sort(order, {}, [&](Index n) { return images.labels[static_cast<std::size_t>(n)]; });
  return order;
}

federated_kmeans::Options method_for(const ClusterTrial& trial, federated_kmeans::Embedding embedding) {
  federated_kmeans::Options method;
  method.embedding = embedding;
  method.kernel = trial.kernel;
  method.gamma = {.rule = GammaRule::number, .value = trial.kernel.gamma};
  method.rank = 2 * most_clusters(method);
  method.restarts = central_restarts;
  return method;
}

federated_kmeans::Fit run_devices(std::vector<Samples> shards, const federated_kmeans::Options& method,
                                  std::uint64_t seed, const ExperimentOptions& options, Audit audit,
                                  const federated_kmeans::Study& study) {
  const Index devices = std::ssize(shards);
  const Graph network = method.coordination == federated_kmeans::Coordination::server
                            ? federated_kmeans::star(devices)
                            : ring_graph(devices, neighbours_on_the_ring);
  RunOptions run;
  run.seed = seed;
  run.watch = quiet(options);
  run.audit = std::move(audit);
  SimEngine engine;
  return fit_federated_kmeans(engine, network, std::move(shards), method, run, study);
}

std::vector<std::int64_t> labels_of(const federated_kmeans::Fit& fit, const std::vector<Index>& order) {
  std::vector<std::int64_t> labels(order.size());
  auto place = order.begin();
  for (const auto& node : fit.nodes) {
    for (const std::int64_t label : node->labels) labels[static_cast<std::size_t>(*place++)] = label;
  }
  return labels;
}

std::function<bool(NodeId, Index)> dropped_out(double share, Index devices, Index from_round,
                                               std::uint64_t seed) {
  const auto silent = static_cast<Index>(std::lround(share * static_cast<double>(devices)));
  if (silent == 0) return {};
  return [=](NodeId device, Index round) {
    if (round < from_round) return false;
    Rng random(seed, drop_out_purpose, 0, static_cast<std::uint64_t>(round));
    const std::vector<Index> chosen = random.choose(silent, devices);
    return std::ranges::find(chosen, Index{device}) != chosen.end();
  };
}

}  // namespace choir
