#include "choir/model/kernel_machine.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/kernel/gram.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"

namespace choir {

Matrix KernelMachine::decide(const SamplesView& samples, int threads) const {
  Matrix scores = Matrix::Zero(samples.cols(), outputs());
  if (random_features) {
    const auto random = RandomFeatures::draw(kernel, features(), *random_features);
    for_each_piece(*this, samples, features() + weights.rows(), [&](Index first, const Samples& piece) {
      scores.middleRows(first, piece.cols()).noalias() =
          random.transform(piece, threads).transpose() * weights;
    });
  } else {
    for_each_piece(*this, samples, points.cols(), [&](Index first, const Samples& piece) {
      if (points.cols() == 0) return;
      scores.middleRows(first, piece.cols()).noalias() =
          gram<double>(kernel, piece, points, {.threads = threads}) * weights;
    });
  }
  if (intercept.size() > 0) scores.rowwise() += intercept.transpose();
  return scores;
}

Vector KernelMachine::predict(const SamplesView& samples, int threads) const {
  const Matrix scores = decide(samples, threads);
  if (classes.empty()) return scores.col(0);
  Vector labels(scores.rows());
  for (Index n = 0; n < scores.rows(); ++n) {
    Index best = 0;
    for (Index k = 1; k < scores.cols(); ++k)
      if (scores(n, k) > scores(n, best)) best = k;
    labels[n] = static_cast<double>(classes[static_cast<std::size_t>(best)]);
  }
  return labels;
}

std::string KernelMachine::name_of(std::int64_t label) const {
  if (class_names.empty()) return std::to_string(label);
  return class_names[static_cast<std::size_t>(std::ranges::lower_bound(classes, label) - classes.begin())];
}

Matrix KernelMachine::probabilities(const SamplesView& samples, int threads) const {
  if (!has_probabilities()) {
    fail(ErrorCategory::InvalidArgument,
         "the model was fitted with {} loss, which has no probabilities; ask for scores, or fit with "
         "logistic loss",
         loss);
  }
  Matrix chances = decide(samples, threads);
  chances.colwise() -= Vector(chances.rowwise().maxCoeff());  // exp of the largest is 1: nothing overflows
  chances = chances.array().exp();
  chances.array().colwise() /= chances.rowwise().sum().eval().array();
  return chances;
}

}  // namespace choir
