#include "choir/learn/consensus_kpca/models.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/learn/consensus_kpca/surroundings.h"
#include "choir/linalg/columns.h"

namespace choir::consensus_kpca {
namespace {

// Everything but points, coefficients and mean.
KernelModel empty_model(const NodeResult& fit) {
  KernelModel model;
  model.kernel = fit.kernel;
  model.preprocessing = fit.preprocessing;
  model.eigenvalues = fit.eigenvalues;
  model.trace = fit.trace;
  model.training_samples = fit.total_samples;
  return model;
}

// w = sum_n c_n (phi(x_n) - mean of its shard); new points are seen from the mean of the node's own shard.
void centre_locally(const std::vector<Array>& shards, KernelModel& model) {
  Index begin = 0;
  for (const Array& shard : shards) {
    auto block = model.coefficients.middleRows(begin, shard.columns());
    block.rowwise() -= block.colwise().mean().eval();
    begin += shard.columns();
  }
  const Index own = shards.front().columns();
  model.mean_weights = Vector::Zero(model.points.cols());
  model.mean_weights.head(own).setConstant(1 / static_cast<double>(own));
}

// The mean's points join the model's, unless they are among them already. Returns where they begin.
Index add_points(const Array& points, const Array& own, KernelModel& model) {
  if (points.data() == own.data()) return 0;
  if (points.columns() == model.points.cols() && points.matrix() == model.points) return 0;
  const Index samples = model.points.cols();
  model.points.conservativeResize(Eigen::NoChange, samples + points.columns());
  model.points.rightCols(points.columns()) = points.matrix();
  model.coefficients.conservativeResize(model.points.cols(), Eigen::NoChange);
  model.coefficients.bottomRows(points.columns()).setZero();
  return samples;
}

// w = sum_n c_n (phi(x_n) - mu) = sum_n c_n phi(x_n) - (sum_n c_n) mu. What neighbours sent with noise is
// seen from another mean.
void centre_by_mean(const NodeResult& fit, KernelModel& model) {
  const Index own = fit.shards.front().columns();
  const Index samples = model.points.cols();
  const Eigen::RowVectorXd own_sums = model.coefficients.topRows(own).colwise().sum();
  const Eigen::RowVectorXd other_sums = model.coefficients.bottomRows(samples - own).colwise().sum();
  const Vector& shown = fit.shown_mean_weights.size() > 0 ? fit.shown_mean_weights : fit.mean.weights;
  const Index begin = add_points(*fit.mean.points, fit.shards.front(), model);
  model.coefficients.middleRows(begin, shown.size()) -= fit.mean.weights * own_sums + shown * other_sums;
  model.mean_weights = Vector::Zero(model.points.cols());
  model.mean_weights.segment(begin, fit.mean.weights.size()) = fit.mean.weights;
}

KernelModel expansion(const NodeResult& fit, const std::vector<Array>& shards, const Matrix& coefficients) {
  KernelModel model = empty_model(fit);
  model.points = side_by_side(matrices_of(shards));
  model.coefficients = coefficients;
  model.mean_weights = Vector::Zero(model.points.cols());
  if (fit.mean.points) {
    centre_by_mean(fit, model);
  } else if (fit.centering == Centering::local) {
    centre_locally(shards, model);
  }
  complete(model);
  return model;
}

Model own_model(const NodeResult& fit) {
  if (fit.shards.empty()) {
    throw Error(ErrorCategory::InvalidArgument,
                "a fit under differential privacy has no own answer; choose shared");
  }
  KernelModel model = expansion(fit, {fit.shards.front()}, fit.own_coefficients);
  model.overlap = fit.own_overlap;
  return model;
}

Model landmark_model(const NodeResult& fit) {
  KernelModel model = empty_model(fit);
  model.points = fit.shared_mean.points->matrix();
  model.coefficients = fit.shared_coefficients;
  model.mean_weights = fit.shared_mean.weights;
  complete(model);
  return model;
}

Model feature_model(const NodeResult& fit) {
  FeatureModel model;
  model.kernel = fit.kernel;
  model.preprocessing = fit.preprocessing;
  model.random_features = {.count = fit.features->count, .seed = fit.features->seed};
  model.mean = fit.features->mean;
  model.directions = fit.features->directions;
  model.sample_mean = fit.features->sample_mean;
  model.sample_slopes = fit.features->sample_slopes;
  model.eigenvalues = fit.eigenvalues;
  model.trace = fit.trace;
  model.training_samples = fit.total_samples;
  return model;
}

}  // namespace

std::vector<Answer> answers_in(const NodeResult& fit, Contents contents) {
  std::vector<Answer> answers = {fit.use};
  const auto add = [&](Answer answer, bool there) {
    if (there && answer != fit.use) answers.push_back(answer);
  };
  add(Answer::neighborhood, fit.share == Share::samples);
  const bool own = !fit.shards.empty() && (contents == Contents::all || fit.share == Share::samples);
  add(Answer::own, own);
  add(Answer::shared, fit.shared_coefficients.size() > 0 || fit.features);
  return answers;
}

Model model_of(const NodeResult& fit, Answer answer) {
  if (answer == Answer::own) return own_model(fit);
  if (answer == Answer::neighborhood && fit.share == Share::samples) {
    return expansion(fit, fit.shards, fit.neighborhood_coefficients);
  }
  if (answer == Answer::shared && fit.shared_coefficients.size() > 0) return landmark_model(fit);
  if (answer == Answer::shared && fit.features) return feature_model(fit);
  fail(ErrorCategory::InvalidArgument, "a fit that shares {} has no {} answer; choose {}",
       to_string(fit.share), to_string(answer), to_string(fit.use));
}

std::map<std::string, Model> answers_of(const NodeResult& fit, Contents contents) {
  std::map<std::string, Model> answers;
  for (const Answer answer : answers_in(fit, contents)) {
    answers.emplace(to_string(answer), model_of(fit, answer));
  }
  return answers;
}

ModelFile file_of(const NodeResult& fit, Contents contents) {
  std::vector<Index> sizes;
  for (const Array& shard : fit.shards) sizes.push_back(shard.columns());
  ModelFile file;
  file.node = fit.node;
  file.use = to_string(fit.use);
  file.parameters["neighborhood"] = fmt::format("{}", fmt::join(fit.neighborhood, ","));
  file.parameters["samples"] = fmt::format("{}", fmt::join(sizes, ","));
  file.answers = answers_of(fit, contents);
  return file;
}

}  // namespace choir::consensus_kpca
