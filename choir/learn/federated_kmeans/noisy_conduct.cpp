#include "choir/learn/federated_kmeans/noisy_conduct.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/learn/federated_kmeans/fea.h"
#include "choir/learn/federated_kmeans/noisy_clusters.h"
#include "choir/learn/federated_kmeans/noisy_rounds.h"

namespace choir::federated_kmeans {
namespace {

Task<Matrix> noisy_total(Coordinator& devices, NoisyRounds& rounds, Matrix centres, NodeResult& result) {
  const Index number = rounds.asked();
  const NoisyWords noise = rounds.begin(result.node, centres.cols());
  const AnswerShape shape{.rows = centres.rows() + 1, .cols = centres.cols(), .noise = noise};
  const Message question = noisy_question(std::move(centres), number);
  const Total total = co_await devices.sum(question, shape);
  result.rounds.push_back({.what = rounds.last().what,
                           .answered = total.answered.size(),
                           .samples = total.samples,
                           .attempts = total.attempts});
  co_return total.sum;
}

void tell_embedding(Coordinator& devices, const Options& options, const Circumstances& circumstances) {
  devices.tell(preprocessing_statement(options.preprocessing));
  devices.tell(kernel_statement(options.gamma.value));
  devices.tell(stage_statement(fea_draw(options.n_features, circumstances.seed, 1), 1));
}

}  // namespace

Task<void> conduct_with_noise(const Node& node, Coordinator& devices, const Options& options,
                              const Circumstances& circumstances, NodeResult& result) {
  co_await devices.open();
  tell_embedding(devices, options, circumstances);
  if (!(devices.samples() > 0)) {
    throw Error(ErrorCategory::InvalidArgument, "the devices have no samples; there is nothing to cluster");
  }
  NoisyRounds rounds(options, circumstances.devices);
  const Matrix all = co_await noisy_total(devices, rounds, Matrix::Zero(options.n_features, 1), result);
  const std::uint64_t seed = Rng(circumstances.seed, Purpose("federated-kmeans seeding")).bits();
  NoisyClusters clusters(noisy_mean(all, devices.samples()), {.clusters = *options.n_clusters, .seed = seed});
  while (rounds.left() > 0) {
    node.watch().report("k-means", rounds.asked(), options.max_iter);
    const Matrix total = co_await noisy_total(devices, rounds, clusters.centres(), result);
    clusters.move(total, rounds.deviation());
  }
  devices.tell(clusters_statement({.centroids = clusters.centres(),
                                   .counts = clusters.counts(),
                                   .samples = static_cast<Index>(devices.samples()),
                                   .iterations = options.max_iter,
                                   .converged = true}));
  result.privacy = rounds.report();
  devices.close();
}

}  // namespace choir::federated_kmeans
