// The program of whoever coordinates: straight from the devices' moments to their clusters.
//
//   Conductor conductor(node, *coordinator, options, circumstances, result);
//   co_await conductor.run();
//
// The steps, each a few questions: preprocessing and gamma (moments), local centroids, the embedding
// (eigenvectors of a sum), where to begin, and Lloyd's iterations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/learn/federated_kmeans/coordinator.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/learn/federated_kmeans/lloyd.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/moments.h"
#include "choir/runtime/task.h"

namespace choir::federated_kmeans {

class Conductor {
 public:
  // All of them must outlive it.
  Conductor(const Node& node, Coordinator& devices, const Options& options,
            const Circumstances& circumstances, NodeResult& result)
      : node_(node), devices_(devices), options_(options), circumstances_(circumstances), result_(result) {}

  Task<void> run();

 private:
  void require_enough_samples() const;
  Task<void> agree_on_preprocessing();
  Task<void> agree_on_kernel();
  Task<double> agreed_gamma_of();
  Task<Moments> moments(bool of_entries);

  Task<void> embed(const CountedCentroids& published);
  Task<void> embed_by_landmarks(const CountedCentroids& published);
  Task<void> embed_by_random_features();
  Task<void> embed_by_fea();
  // Eigenpairs of a sum over the devices.
  struct Spectrum {
    EigenPairs leading;
    std::optional<double> trace = {};  // of the whole sum, where it is known
    double kernel_trace = 0;           // sum k(x, x)
  };
  Task<Spectrum> spectrum(Index size, Index wanted);
  Task<void> ask_for_gram(Index size, Index wanted, Spectrum& found);
  Task<void> ask_for_products(Index size, Index wanted, EigenRoute route, Spectrum& found);
  Task<void> ask_for_traces(Spectrum& found);
  Task<void> tell_leading(const Spectrum& spectrum);
  // `kept`: the eigenvalues of the embedding.
  void note_kept(const Vector& kept, const Spectrum& spectrum);

  Task<CountedCentroids> drawn_candidates();
  Task<std::vector<Index>> numbers_of_clusters(const CountedCentroids& points);
  Task<std::vector<Matrix>> starts(const CountedCentroids& points);
  Task<std::vector<Matrix>> settled(std::vector<Matrix> starts);
  Task<void> cluster(const CountedCentroids& points);
  Task<void> move_centres(LloydRuns& runs);
  // `to_beat`: as of LloydRuns::end_above(); empty: no run ends for that.
  Task<void> one_move(LloydRuns& runs, const std::vector<double>& to_beat);
  // Swaps of centres in the best run of each number of clusters, until none is worth it.
  Task<void> improve_by_swaps(LloydRuns& runs);
  Task<std::vector<LloydRun>> better_by_swaps(const std::vector<LloydRun>& bases);
  bool sums_are_exact() const;
  void keep(const LloydRuns& runs, Index best);

  // Over all samples: scaled up by N / N_alive if some devices were silent.
  Task<Matrix> sum(std::string what, Message question, AnswerShape shape);
  void note_route(EigenRoute route, Index size);
  void note_refusals(const Total& total);
  void note_restlessness();
  bool speaks() const;  // for all: the server, or node 0
  std::optional<double> bound(double of_unit_vectors) const;
  std::uint64_t seed_for(Purpose purpose) const { return Rng(circumstances_.seed, purpose).bits(); }

  const Node& node_;
  Coordinator& devices_;
  const Options& options_;
  const Circumstances& circumstances_;
  NodeResult& result_;
  Index round_ = 0;
  // After zscore, of all features: known without asking again, as what two totals of one statistic differ by
  // is what some devices have.
  std::optional<Moments> standardized_;
  bool noted_refusals_ = false;
  bool some_are_silent_ = false;  // in the last sum
  Matrix spread_;                 // S, r x rank: the second moment of embedded samples is S S'
  bool same_round_ = false;  // a sum of this round has been asked for, and the others go to the same devices
};

}  // namespace choir::federated_kmeans
