// What the experiments of online-kernel have in common: the paper's data, network and settings, and a run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "choir/experiment/experiment.h"
#include "choir/experiment/online_kernel/mixture.h"
#include "choir/experiment/online_kernel/parts.h"
#include "choir/graph/graph.h"
#include "choir/learn/online_kernel/online_kernel.h"

namespace choir {

// One draw of the paper's mixture.
struct MixtureTrial {
  std::uint64_t seed = 0;
  GaussianMixture mixture;
  TargetedSamples train;
  TargetedSamples test;
  double bayes = 0;  // accuracy on the test samples
};
MixtureTrial mixture_trial(const ExperimentOptions& options, std::uint64_t seed);

// A directed graph of probability 1/5 made symmetric: nodes are linked with probability 1 - .8^2.
Graph random_network(Index nodes, std::uint64_t seed);

// The paper's: logistic loss, exp(-|x - y|^2 / (2 .6^2)); eta 3, no class weights; batches of 32, lambda
// 1e-6, c = .01 doubled every 200 samples and epsilon = .04 eta^1.5 are the defaults.
online_kernel::Options mixture_options(online_kernel::Consensus consensus);
std::vector<std::int64_t> first_classes(Index count);  // 0, 1, ...

// diffusion, symmetric, penalty, none
const std::vector<online_kernel::Consensus>& all_forms();
std::string name_of(online_kernel::Consensus consensus);

// Every form on the trial of every seed; a step for whoever watches after each.
void for_each_form(const ExperimentOptions& options, const std::string& id,
                   const std::function<void(const MixtureTrial&, online_kernel::Consensus)>& measure);

online_kernel::Fit run_online(const Graph& graph, SampleStreams streams, const online_kernel::Options& method,
                              const ExperimentOptions& options, const online_kernel::Hooks& hooks = {});

}  // namespace choir
