#include "choir/experiment/online_kernel/trial.h"

#include <numeric>
#include <utility>

#include "choir/experiment/steps.h"
#include "choir/graph/random_graphs.h"
#include "choir/runtime/local/local_engine.h"

namespace choir {
namespace {

constexpr Purpose train_purpose("online-experiment-train");
constexpr Purpose test_purpose("online-experiment-test");
constexpr double bandwidth = 0.6;

}  // namespace

MixtureTrial mixture_trial(const ExperimentOptions& options, std::uint64_t seed) {
  MixtureTrial trial{.seed = seed, .mixture = GaussianMixture(seed), .train = {}, .test = {}, .bayes = 0};
  trial.train = trial.mixture.draw(options.quick ? 1600 : 5000, seed, train_purpose);
  trial.test = trial.mixture.draw(options.quick ? 800 : 2500, seed, test_purpose);
  trial.bayes = trial.mixture.bayes_accuracy(trial.test);
  return trial;
}

Graph random_network(Index nodes, std::uint64_t seed) { return erdos_graph(nodes, 1 - 0.8 * 0.8, seed); }

online_kernel::Options mixture_options(online_kernel::Consensus consensus) {
  online_kernel::Options options;
  options.representation = online_kernel::Representation::dictionary;
  options.consensus = consensus;
  options.gamma = {.rule = GammaRule::number, .value = 1 / (2 * bandwidth * bandwidth)};
  options.classes = first_classes(GaussianMixture::class_count);
  options.class_weights = online_kernel::ClassWeights::none;
  options.eta = 3;
  return options;
}

std::vector<std::int64_t> first_classes(Index count) {
  std::vector<std::int64_t> classes(static_cast<std::size_t>(count));
  std::iota(classes.begin(), classes.end(), std::int64_t{0});
  return classes;
}

const std::vector<online_kernel::Consensus>& all_forms() {
  static const std::vector<online_kernel::Consensus> forms = {
      online_kernel::Consensus::diffusion, online_kernel::Consensus::symmetric,
      online_kernel::Consensus::penalty, online_kernel::Consensus::none};
  return forms;
}

std::string name_of(online_kernel::Consensus consensus) { return std::string(to_string(consensus)); }

void for_each_form(const ExperimentOptions& options, const std::string& id,
                   const std::function<void(const MixtureTrial&, online_kernel::Consensus)>& measure) {
  const auto seeds = static_cast<std::uint64_t>(repetitions(options));
  Steps steps(options.watch, id, all_forms().size() * seeds);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const MixtureTrial trial = mixture_trial(options, seed);
    for (const online_kernel::Consensus form : all_forms()) {
      measure(trial, form);
      steps.next();
    }
  }
}

online_kernel::Fit run_online(const Graph& graph, SampleStreams streams, const online_kernel::Options& method,
                              const ExperimentOptions& options, const online_kernel::Hooks& hooks) {
  LocalEngine engine;
  return fit_online_kernel(engine, graph, std::move(streams), method,
                           {.threads = options.threads, .watch = quiet(options)}, hooks);
}

}  // namespace choir
