// A device's side: its samples, what it has been told, and what it answers. No network in here.
//
//   Worker worker(node.id(), std::move(shard), options, circumstances);
//   worker.hear(statement);
//   const Matrix sums = worker.sums(question);
//   worker.labels();
//
// A server has one without samples, which hears what it tells the devices and so has the same model.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "choir/learn/federated_kmeans/acceptance.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/learn/federated_kmeans/noisy_rounds.h"
#include "choir/learn/federated_kmeans/questions.h"
#include "choir/model/cluster_model.h"
#include "choir/runtime/message.h"

namespace choir::federated_kmeans {

struct NoisyAnswer {
  Matrix sums;       // without the noise
  NoisyWords noise;  // to answer in
};

class Worker {
 public:
  // Throws Error(BadData) if a sample is not finite.
  Worker(NodeId id, Shard shard, const Options& options, const Circumstances& circumstances);

  Index samples() const { return shard_.cols(); }
  // Whether it keeps out of sums, which are not masked, because it has too few samples, and why.
  bool refuses_sums() const;
  std::string refusal() const;
  bool is_absent(const Message& question) const;  // drop-out as a study wants it

  // Manner::sum. Throws Error(BadData) if they are not finite, as squares of huge values are. It and the next
  // two throw that, too, for what this device's options do not allow (acceptance.h).
  Matrix sums(const Message& question);
  // Word::noisy, under differential privacy. Throws Error(PeerLost) that names the server if this device's
  // own plan has no such total next.
  NoisyAnswer noisy_sums(const Message& question);
  Message publication_for(const Message& request);  // Manner::publication
  void hear(const Message& statement);              // Manner::statement

  const ClusterModel& model() const { return model_; }
  const FoundClusters& found() const { return found_; }
  Index input_rows() const { return input_.rows(); }  // n, of W'
  // Of points that are preprocessed: r x L.
  Matrix embed_prepared(const MatrixView<double>& points) const;
  std::vector<std::int64_t> labels() const;  // N_m; after Word::clusters
  // What this device's answers have cost; nothing without differential privacy. After Word::clusters.
  std::optional<PrivacyReport> privacy() const;

 private:
  Matrix plain_sums(const Message& question) const;
  Matrix means(bool of_entries) const;
  Matrix squares(const Vector& mean) const;
  Matrix tally(const Message& question) const;
  RunCentres checked_centres(const Message& question) const;
  Eigen::Map<const Matrix> checked_candidates(const Message& question) const;
  void take_up(const Message& question);
  void require_clusters() const;
  void hear_preprocessing(const Message& statement);
  void hear_kernel(const Message& statement);
  void begin_step(Embedding embedding);
  void hear_landmarks(const Message& statement);
  void hear_stage(const Message& statement);
  void hear_map(const Message& statement);
  void take_map(const MatrixView<double>& map);
  void hear_clusters(const Message& statement);

  NodeId id_;
  Shard shard_;  // M x N_m; preprocessed as soon as that is known
  Options options_;
  Circumstances circumstances_;
  ClusterModel model_;
  Matrix whitening_;  // R: q x m, nystroem
  Matrix input_;      // W': n x N_m
  Matrix embedded_;   // b: r x N_m
  FoundClusters found_;
  Statistics statistics_;              // answered
  std::optional<NoisyRounds> rounds_;  // differential privacy: what may be asked
  std::set<Word> told_;
  Index steps_ = 0;  // of the embedding
};

}  // namespace choir::federated_kmeans
