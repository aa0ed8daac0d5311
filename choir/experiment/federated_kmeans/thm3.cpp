// Theorem 3: numbers that pass between a server and its devices for the eigenvectors of a sum, by every
// route.
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/federated_kmeans/experiments.h"
#include "choir/experiment/federated_kmeans/trial.h"
#include "choir/experiment/federated_kmeans/wire_count.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/steps.h"
#include "choir/kernel/random_features.h"
#include "choir/learn/federated_kmeans/cela.h"
#include "choir/learn/federated_kmeans/quality.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/columns.h"
#include "choir/metrics/subspace.h"

namespace choir {
namespace {

constexpr Index thm3_devices = 10;
constexpr double thousand = 1000;
constexpr auto server = static_cast<NodeId>(thm3_devices);
constexpr std::array routes = {federated_kmeans::EigenRoute::gram, federated_kmeans::EigenRoute::cela,
                               federated_kmeans::EigenRoute::capped_cela};
constexpr std::array embeddings = {federated_kmeans::Embedding::fea, federated_kmeans::Embedding::nystroem};
constexpr const char* sums_quantity = "thousand numbers for eigenvectors";
constexpr const char* all_quantity = "thousand numbers with maps";
constexpr const char* lambda_quantity = "lambda / N";
constexpr const char* thm3_quantity = "embedding error";
constexpr const char* sines_quantity = "squared sines to K's eigenvectors";

std::string name_of(federated_kmeans::Embedding embedding, std::string_view how) {
  return fmt::format("{}, {}", to_string(embedding), how);
}

struct CoverTrial {
  ClusterTrial data;
  federated_kmeans::Options method;  // embedding and route are chosen for each run
  EigenPairs exact;                  // the leading r of the kernel matrix
  Matrix truncated_gram;             // K_r
};

CoverTrial trial_of(const Dataset& digits, Index samples, std::uint64_t seed,
                    const ExperimentOptions& options) {
  CoverTrial trial{
      .data = cluster_trial(digits, samples, seed), .method = {}, .exact = {}, .truncated_gram = {}};
  trial.method = method_for(trial.data, federated_kmeans::Embedding::fea);
  if (options.quick) {
    trial.method.n_clusters = 5;
    trial.method.rank = 10;
    trial.method.n_landmarks = 30;
    trial.method.n_features = 60;
    trial.method.fea_iterations = 4;
  }
  trial.method.restarts = 1;  // clusters do not matter here
  trial.method.max_iter = 1;
  trial.exact = top_eigenpairs<double>(DenseOperatorOf<double>(trial.data.gram),
                                       {.count = embedding_rank(trial.method), .tol = 1e-10});
  trial.truncated_gram =
      trial.exact.vectors * trial.exact.values.asDiagonal() * trial.exact.vectors.transpose();
  return trial;
}

struct Outcome {
  WireCount wire;
  Matrix embedded;  // N x r
  ClusterModel model;
};

Outcome run(const CoverTrial& trial, federated_kmeans::Embedding embedding,
            federated_kmeans::EigenRoute route, const ExperimentOptions& options) {
  federated_kmeans::Options method = trial.method;
  method.embedding = embedding;
  method.eigen_route = route;
  Outcome outcome{.wire = WireCount(server), .embedded = {}, .model = {}};
  const Samples& samples = trial.data.images.samples;
  const federated_kmeans::Fit fit =
      run_devices(cut_columns(samples, thm3_devices), method, trial.data.seed, options,
                  [&](NodeId from, NodeId, const Message& message) { outcome.wire.see(from, message); });
  outcome.model = fit.at(server).model;
  outcome.embedded = outcome.model.embed(samples, options.threads);
  return outcome;
}

double relative_difference(const Matrix& a, const Matrix& b) {
  const Matrix target = b * b.transpose();
  return (a * a.transpose() - target).norm() / target.norm();
}

// lambda, from the first direction of fea's first map: its squared length is 1 - lambda / s.
double threshold_in(const ClusterModel& model, const Samples& samples) {
  const FeatureStage& first = model.stages.front();
  const Matrix drawn = RandomFeatures::draw(model.kernel, samples.rows(), first.random).transform(samples);
  const Vector direction = first.map.col(0);
  const double left = direction.squaredNorm();
  const double eigenvalue = (drawn.transpose() * direction).squaredNorm() / left;
  return eigenvalue * (1 - left);
}

// W[m] to the server and B[m] back, in every iteration: N (r_{t-1} + D + r_t).
double numbers_centralised(const ClusterModel& model, Index samples) {
  double of_a_sample = 0;
  for (const FeatureStage& stage : model.stages) {
    of_a_sample += static_cast<double>(stage.map.rows() + stage.map.cols());
  }
  if (model.stages.empty())
    of_a_sample = static_cast<double>(model.projection.rows() + model.projection.cols());
  return of_a_sample * static_cast<double>(samples);
}

// n of the last decomposition: what the routes are chosen by.
Index decomposed_size(const ClusterModel& model) {
  return model.stages.empty() ? model.projection.rows() : model.stages.back().map.rows();
}

void measure(const CoverTrial& trial, federated_kmeans::Embedding embedding, const ExperimentOptions& options,
             Measurements& seen) {
  const Index samples = trial.data.images.size();
  const std::string setting = fmt::format("{}", samples);
  Matrix by_gram;
  for (const federated_kmeans::EigenRoute route : routes) {
    const std::string series = name_of(embedding, to_string(route));
    const Outcome outcome = run(trial, embedding, route, options);
    if (route == federated_kmeans::EigenRoute::gram) by_gram = outcome.embedded;
    const Index size = decomposed_size(outcome.model);
    const federated_kmeans::EigenRoute cheapest =
        chosen_route(federated_kmeans::EigenRoute::cheapest, size, embedding_rank(trial.method));
    seen.add(setting, series, sums_quantity, outcome.wire.for_sums() / thousand);
    seen.add(setting, series, all_quantity, (outcome.wire.for_sums() + outcome.wire.for_maps()) / thousand);
    seen.add(setting, series, sines_quantity,
             std::pow(sin_theta(outcome.embedded, trial.exact.vectors).frobenius, 2));
    seen.add(setting, series, thm3_quantity,
             federated_kmeans::embedding_error(outcome.embedded, trial.truncated_gram));
    seen.add(setting, series, "BB' against gram's, relative", relative_difference(outcome.embedded, by_gram));
    seen.add(setting, series, "cheapest takes it", route == cheapest ? 1 : 0);
    if (embedding == federated_kmeans::Embedding::fea) {
      const double lambda = threshold_in(outcome.model, trial.data.images.samples);
      seen.add(setting, series, lambda_quantity, lambda / static_cast<double>(samples));
    }
    if (route != federated_kmeans::EigenRoute::gram) continue;
    const double numbers = numbers_centralised(outcome.model, samples) / thousand;
    for (const char* quantity : {sums_quantity, all_quantity}) {
      seen.add(setting, name_of(embedding, "centralising"), quantity, numbers);
    }
  }
}

LineChart chart_of(federated_kmeans::Embedding embedding, const Measurements& seen) {
  LineChart chart{.title = fmt::format("federated-kmeans/thm3: {}, 10 devices", to_string(embedding)),
                  .x = {.title = "samples of all devices, N", .logarithmic = true},
                  .y = {.title = "thousand numbers sent for eigenvectors", .logarithmic = true},
                  .series = {}};
  for (const federated_kmeans::EigenRoute route : routes) {
    chart.series.push_back(seen.line(name_of(embedding, to_string(route)), sums_quantity));
  }
  chart.series.push_back(seen.line(name_of(embedding, "centralising"), sums_quantity, SeriesStyle::dashed));
  return chart;
}

}  // namespace

ExperimentResult federated_kmeans_thm3(const ExperimentOptions& options) {
  const SingleThreadedBlas scope;
  const Dataset digits = read_digits(options, {});
  const std::vector<Index> sizes =
      options.quick ? std::vector<Index>{200, 400} : std::vector<Index>{500, 1000, 2000, 4000};
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "federated-kmeans/thm3",
              sizes.size() * embeddings.size() * static_cast<std::size_t>(seeds));
  Measurements seen("samples");
  for (const Index samples : sizes) {
    for (Index seed = 0; seed < seeds; ++seed) {
      const CoverTrial trial = trial_of(digits, samples, static_cast<std::uint64_t>(seed), options);
      for (const federated_kmeans::Embedding embedding : embeddings) {
        measure(trial, embedding, options, seen);
        steps.next();
      }
    }
  }
  return {
      .table = seen.table(),
      .summaries = {seen.summary(sums_quantity), seen.summary(all_quantity), seen.summary(thm3_quantity),
                    seen.summary(sines_quantity), seen.summary("BB' against gram's, relative"),
                    seen.summary(lambda_quantity), seen.summary("cheapest takes it")},
      .pictures = {{"", chart_of(federated_kmeans::Embedding::fea, seen)},
                   {"nystroem", chart_of(federated_kmeans::Embedding::nystroem, seen)}},
      .notes = {"counted on the wire, to and fro, over all devices and iterations: vectors and products, or "
                "triangles of Gram matrices; without envelopes and the seeds of masks",
                "with maps: those from W to the embedding too, which the paper does not count",
                "embedding error: ||BB' - K_20||^2 / N^2, K_20 the best approximation of rank 20",
                "lambda: what fea shrinks eigenvalues by, number 21 of the first sum as the route finds it",
                "centralising, as the paper counts it: every device sends W and gets B, N (r + D + r) "
                "numbers an iteration; its embedding is that of gram"}};
}

}  // namespace choir
