// Theorem 4: what clusters cost in the kernel's feature space, and how they go with the digits: devices with
// all digits or one, devices that drop out, and no server at all.
#include <array>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "choir/data/shards.h"
#include "choir/experiment/digits.h"
#include "choir/experiment/federated_kmeans/experiments.h"
#include "choir/experiment/federated_kmeans/trial.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/steps.h"
#include "choir/learn/federated_kmeans/quality.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/columns.h"
#include "choir/metrics/clustering.h"

namespace choir {
namespace {

constexpr Index thm4_devices = 10;
// A masked total of 10 devices needs the signatures of 7.
constexpr std::array drop_outs = {0.0, 0.2, 0.3};
constexpr const char* cost_quantity = "cost / central";
constexpr const char* thm4_quantity = "embedding error";
constexpr const char* central_series = "central";

struct Rival {
  std::string name;
  federated_kmeans::Embedding embedding;
  federated_kmeans::Coordination coordination = federated_kmeans::Coordination::server;

  bool can_drop_out() const { return coordination == federated_kmeans::Coordination::server; }
};

const std::vector<Rival>& rivals() {
  static const std::vector<Rival> all = {
      {.name = "nystroem", .embedding = federated_kmeans::Embedding::nystroem},
      {.name = "fea", .embedding = federated_kmeans::Embedding::fea},
      {.name = "random-features", .embedding = federated_kmeans::Embedding::random_features},
      {.name = "nystroem, no server",
       .embedding = federated_kmeans::Embedding::nystroem,
       .coordination = federated_kmeans::Coordination::gossip}};
  return all;
}

struct Place {  // in the measurements
  std::string setting;
  std::string series;
};

struct RivalTrial {
  ClusterTrial data;
  federated_kmeans::KernelKmeans central;
  Matrix truncated_gram;  // K_r
  Index clusters = 10;
};

RivalTrial trial_of(const Dataset& digits, std::uint64_t seed, const ExperimentOptions& options) {
  RivalTrial trial{
      .data = cluster_trial(digits, options.quick ? 500 : 1500, seed), .central = {}, .truncated_gram = {}};
  trial.central = federated_kmeans::kernel_kmeans(trial.data.gram,
                                                  {.clusters = trial.clusters, .n_init = 5, .seed = seed});
  trial.truncated_gram = federated_kmeans::truncated(trial.data.gram, 2 * trial.clusters);
  return trial;
}

federated_kmeans::Options method_of(const RivalTrial& trial, const Rival& variant,
                                    const ExperimentOptions& options) {
  federated_kmeans::Options method = method_for(trial.data, variant.embedding);
  method.n_clusters = trial.clusters;
  method.coordination = variant.coordination;
  method.patience = std::chrono::seconds(1);  // of the simulator's time
  if (options.quick) {
    method.n_landmarks = 40;
    method.n_features = 100;
    method.fea_iterations = 5;
  }
  return method;
}

void add_clusters(const RivalTrial& trial, const Place& place, const std::vector<std::int64_t>& labels,
                  Measurements& seen) {
  const std::vector<std::int64_t>& truth = trial.data.images.labels;
  const double cost = federated_kmeans::kernel_cost(trial.data.gram, labels, trial.clusters);
  seen.add(place.setting, place.series, cost_quantity, cost / trial.central.cost);
  seen.add(place.setting, place.series, "NMI", normalized_mutual_info(truth, labels));
  seen.add(place.setting, place.series, "ARI", adjusted_rand_index(truth, labels));
  seen.add(place.setting, place.series, "accuracy", clustering_accuracy(truth, labels));
}

// Centroids are published in round 0, and the embedding takes one or more; all Lloyd's are behind it.
Index first_round_of_kmeans(const federated_kmeans::Options& method) {
  return 1 + (method.embedding == federated_kmeans::Embedding::fea ? method.fea_iterations : 1);
}

// Devices have images in that order. Returns the embedding of the images as they were drawn, N x r.
Matrix run(const RivalTrial& trial, const federated_kmeans::Options& method,
           const federated_kmeans::Study& study, const std::vector<Index>& order, const Place& place,
           const ExperimentOptions& options, Measurements& seen) {
  const Samples dealt_out = take_samples(trial.data.images, order).samples;
  const federated_kmeans::Fit fit =
      run_devices(cut_columns(dealt_out, thm4_devices), method, trial.data.seed, options, {}, study);
  add_clusters(trial, place, labels_of(fit, order), seen);
  const Matrix embedded = fit.at(0).model.embed(trial.data.images.samples, options.threads);
  seen.add(place.setting, place.series, thm4_quantity,
           federated_kmeans::embedding_error(embedded, trial.truncated_gram));
  return embedded;
}

void compare(const RivalTrial& trial, const Matrix& embedded, const Matrix& other, const Place& place,
             Measurements& seen) {
  seen.add(place.setting, place.series, "error / iid's",
           federated_kmeans::embedding_error(embedded, trial.truncated_gram) /
               federated_kmeans::embedding_error(other, trial.truncated_gram));
  const Matrix target = other * other.transpose();
  seen.add(place.setting, place.series, "BB' against iid's, relative",
           (embedded * embedded.transpose() - target).norm() / target.norm());
}

void measure(const RivalTrial& trial, const Rival& variant, double drop_out, const ExperimentOptions& options,
             Measurements& seen) {
  const federated_kmeans::Options method = method_of(trial, variant, options);
  const std::string setting = fmt::format("{}", drop_out);
  const Place iid{setting, variant.name + ", iid"}, skewed{setting, variant.name + ", by label"};
  const Dataset& images = trial.data.images;
  federated_kmeans::Study study{.absent = dropped_out(drop_out, thm4_devices, 0, trial.data.seed)};
  const Matrix alike = run(trial, method, study, as_drawn(images), iid, options, seen);
  const Matrix by_digit = run(trial, method, study, by_label(images), skewed, options, seen);
  compare(trial, by_digit, alike, skewed, seen);
  if (drop_out == 0) return;
  const Place late{setting, variant.name + ", by label, k-means only"};
  study.absent = dropped_out(drop_out, thm4_devices, first_round_of_kmeans(method), trial.data.seed);
  run(trial, method, study, by_label(images), late, options, seen);
}

LineChart chart_of(const Measurements& seen, const char* quantity, const char* y) {
  LineChart chart{.title = "federated-kmeans/thm4: 10 clusters of digits, 10 devices",
                  .x = {.title = "share of the devices that are silent in a round", .from = 0, .to = 0.3},
                  .y = {.title = y},
                  .series = {}};
  for (const Rival& variant : rivals()) {
    if (!variant.can_drop_out()) continue;
    chart.series.push_back(seen.line(variant.name + ", iid", quantity));
    chart.series.push_back(seen.line(variant.name + ", by label", quantity, SeriesStyle::dashed));
  }
  return chart;
}

}  // namespace

ExperimentResult federated_kmeans_thm4(const ExperimentOptions& options) {
  const SingleThreadedBlas scope;
  const Dataset digits = read_digits(options, {});
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "federated-kmeans/thm4", static_cast<std::size_t>(seeds));
  Measurements seen("drop-out");
  for (Index seed = 0; seed < seeds; ++seed) {
    const RivalTrial trial = trial_of(digits, static_cast<std::uint64_t>(seed), options);
    for (const double drop_out : drop_outs) {
      for (const Rival& variant : rivals()) {
        if (drop_out > 0 && !variant.can_drop_out()) continue;
        measure(trial, variant, drop_out, options, seen);
      }
      add_clusters(trial, {fmt::format("{}", drop_out), central_series}, trial.central.labels, seen);
    }
    steps.next();
  }
  LineChart agreement = chart_of(seen, "NMI", "NMI with the digits");
  agreement.series.push_back(seen.line(central_series, "NMI", SeriesStyle::dashed));
  return {
      .table = seen.table(),
      .summaries = {seen.summary(cost_quantity), seen.summary("NMI"), seen.summary("ARI"),
                    seen.summary("accuracy"), seen.summary(thm4_quantity), seen.summary("error / iid's"),
                    seen.summary("BB' against iid's, relative")},
      .pictures = {{"", chart_of(seen, cost_quantity, "kernel k-means cost / best of 5 central runs")},
                   {"nmi", agreement}},
      .notes = {"central: the best of 5 runs of kernel k-means with the whole kernel matrix",
                "drop-out: 2 or 3 of 10 devices are silent in every round, others each time, also in the one "
                "in which centroids are published",
                "embedding error: ||BB' - K_20||^2 / N^2, K_20 the best approximation of rank 20",
                "no server: averages with neighbours on a ring of degree 4, without masks"}};
}

}  // namespace choir
