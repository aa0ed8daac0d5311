#include "choir/model/cluster_model.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "choir/kernel/gram.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"

namespace choir {
namespace {

std::vector<RandomFeatures> draw_stages(const ClusterModel& model) {
  std::vector<RandomFeatures> drawn;
  for (const FeatureStage& stage : model.stages)
    drawn.push_back(RandomFeatures::draw(model.kernel, model.features(), stage.random));
  return drawn;
}

// Numbers that a sample needs on its way.
Index width_of(const ClusterModel& model) {
  Index width = model.features() + model.points.cols();
  for (const FeatureStage& stage : model.stages) width = std::max(width, model.features() + stage.map.rows());
  return width;
}

Matrix through_stages(const ClusterModel& model, const std::vector<RandomFeatures>& drawn,
                      const Samples& piece, int threads) {
  Matrix embedded(0, piece.cols());
  for (std::size_t t = 0; t < drawn.size(); ++t) {
    const FeatureStage& stage = model.stages[t];
    const Matrix input = stage_input(stage.eta, drawn[t].transform(piece, threads), embedded);
    embedded = multiply(stage.map.transpose(), input, threads);
  }
  return embedded;
}

// Calls work(first, embedded) for each piece of the samples, r x count.
void for_each_embedded(const ClusterModel& model, const SamplesView& samples, int threads,
                       const std::function<void(Index first, const Matrix& embedded)>& work) {
  const std::vector<RandomFeatures> drawn = draw_stages(model);
  for_each_piece(model, samples, width_of(model), [&](Index first, const Samples& piece) {
    if (model.stages.empty()) {
      const Matrix similarity = gram<double>(model.kernel, model.points, piece, {.threads = threads});
      work(first, multiply(model.projection.transpose(), similarity, threads));
    } else {
      work(first, through_stages(model, drawn, piece, threads));
    }
  });
}

}  // namespace

Matrix stage_input(double eta, const Matrix& z, const Matrix& b) {
  Matrix input(z.rows() + b.rows(), z.cols());
  input.topRows(z.rows()) = std::sqrt(eta) * z;
  input.bottomRows(b.rows()) = std::sqrt(1 - eta) * b;
  return input;
}

Matrix squared_distances(const MatrixView<double>& embedded, const MatrixView<double>& centroids) {
  Matrix distances = -2 * (centroids.transpose() * embedded);
  distances.colwise() += centroids.colwise().squaredNorm().transpose();
  distances.rowwise() += embedded.colwise().squaredNorm();
  return distances.cwiseMax(0);
}

std::vector<std::int64_t> nearest_centroids(const MatrixView<double>& embedded,
                                            const MatrixView<double>& centroids) {
  const Matrix distances = squared_distances(embedded, centroids);
  std::vector<std::int64_t> labels;
  labels.reserve(static_cast<std::size_t>(embedded.cols()));
  for (const auto sample : distances.colwise()) {
    Index nearest = 0;
    sample.minCoeff(&nearest);
    labels.push_back(nearest);
  }
  return labels;
}

Matrix ClusterModel::embed(const SamplesView& samples, int threads) const {
  Matrix all(samples.cols(), dimension());
  for_each_embedded(*this, samples, threads, [&](Index first, const Matrix& embedded) {
    all.middleRows(first, embedded.cols()) = embedded.transpose();
  });
  return all;
}

Matrix ClusterModel::distances(const SamplesView& samples, int threads) const {
  Matrix all(samples.cols(), clusters());
  for_each_embedded(*this, samples, threads, [&](Index first, const Matrix& embedded) {
    all.middleRows(first, embedded.cols()) = squared_distances(embedded, centroids).transpose();
  });
  return all;
}

std::vector<std::int64_t> ClusterModel::predict(const SamplesView& samples, int threads) const {
  std::vector<std::int64_t> all;
  for_each_embedded(*this, samples, threads, [&](Index, const Matrix& embedded) {
    const std::vector<std::int64_t> labels = nearest_centroids(embedded, centroids);
    all.insert(all.end(), labels.begin(), labels.end());
  });
  return all;
}

}  // namespace choir
