// What the experiments of consensus-kpca share: networks of digits with their central answer, and the methods
// that are run on them.
//
//   Comparison comparison(options);
//   const Trial trial = comparison.trial({.deal = {.nodes = 20, .samples = 100}, .seed = seed});
//   const Answers answers = comparison.answer(trial, default_method());
//   seen.add("20", "default, own", "similarity", mean_of(answers.quality.similarity_own));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/experiment/digits.h"
#include "choir/experiment/experiment.h"
#include "choir/experiment/measurements.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/quality.h"

namespace choir {

// The paper's kernel on raw pixels.
inline constexpr double digits_gamma = 2e-7;

// As printed: biased z-step, rho 10, 50, 100, local start, local centring, 12 iterations.
consensus_kpca::Options printed_method();
// choir's, on the paper's kernel.
consensus_kpca::Options default_method(Index components = 1);
// The same without a test for the end.
consensus_kpca::Options of_length(consensus_kpca::Options method, Index iterations);

// Of all shards, one after the other, under the paper's kernel.
central_kpca::Fit central_answer(const std::vector<Samples>& shards, central_kpca::Options options);

struct TrialSpec {
  DigitDeal deal = {};
  std::string topology = "ring:4";
  Index components = 1;
  bool centre = true;  // the central answer
  std::uint64_t seed = 0;
};

// One network with its data.
struct Trial {
  Graph graph;
  std::vector<Samples> shards;
  central_kpca::Fit central;  // of all samples; computed once, whatever is compared with it
  double central_seconds = 0;
  std::uint64_t seed = 0;
};

struct Answers {
  consensus_kpca::Fit fit;
  consensus_kpca::Quality quality;
  double seconds = 0;  // of the fit, set-up included
};

class Comparison {
 public:
  explicit Comparison(const ExperimentOptions& options);

  Trial trial(const TrialSpec& spec) const;
  consensus_kpca::Fit fit(const Trial& trial, const consensus_kpca::Options& method) const;
  Answers answer(const Trial& trial, const consensus_kpca::Options& method) const;
  // The mean over nodes of the first component's similarity_own, without the yardsticks' cost.
  double own_similarity(const Trial& trial, const consensus_kpca::Fit& fit) const;
  // The same of kernel PCA of every shard alone: a node alone has no mean but its own.
  double local_similarity(const Trial& trial) const;

 private:
  const ExperimentOptions& options_;
  Watch quiet_;  // stops, but tells nothing
  Dataset digits_;
};

// The mean over nodes that have an answer, of one component.
double mean_of(const Matrix& by_node, Index component = 0);

// Names of series that appear in several experiments.
namespace series {
inline constexpr const char* own = "default, own";
inline constexpr const char* neighborhood = "default, neighbourhood";
inline constexpr const char* printed = "printed method";
inline constexpr const char* local = "local";
inline constexpr const char* gather_own = "gathered, own";
inline constexpr const char* gather_neighborhood = "gathered, neighbourhood";
inline constexpr const char* oracle = "best in own span";
inline constexpr const char* central = "central";
}  // namespace series

// One place on the x axis of a figure.
struct Case {
  std::string setting;
  TrialSpec spec;
};

// The default, the printed method and the yardsticks side by side: similarities and seconds, with all seeds.
Measurements compare_methods(const ExperimentOptions& options, const std::string& stage,
                             const std::string& setting_name, const std::vector<Case>& cases);
LineChart similarity_chart(const Measurements& seen, const std::string& title, const std::string& x_title);

}  // namespace choir
