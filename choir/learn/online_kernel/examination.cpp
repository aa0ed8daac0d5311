#include "choir/learn/online_kernel/examination.h"

#include <cmath>

namespace choir::online_kernel {
namespace {

constexpr Index scale_count = 15;
constexpr Index leading_sums = 3;  // weight, loss, constant_loss

Index class_of(const Matrix& targets, Index n) {
  Index place = 0;
  targets.row(n).maxCoeff(&place);
  return place;
}

// -log of the class's chance.
double log_loss(const Vector& scores, Index place) {
  const double largest = scores.maxCoeff();
  return std::log((scores.array() - largest).exp().sum()) + largest - scores(place);
}

void examine_classes(const Matrix& scores, const Questions& questions, Examination& found) {
  const Vector scales = score_scales();
  for (Index n = 0; n < scores.rows(); ++n) {
    const Index place = class_of(questions.targets, n);
    found.seen(place) += 1;
    found.taken(class_of(scores, n)) += 1;
    const Vector row = scores.row(n);
    for (Index s = 0; s < scales.size(); ++s)
      found.log_losses(s) += questions.weights(n) * log_loss(scales(s) * row, place);
  }
}

}  // namespace

Vector score_scales() {
  return Vector::NullaryExpr(scale_count, [](Index i) { return std::exp2(static_cast<double>(i) / 2); });
}

double best_score_scale(const Vector& log_losses) {
  Index best = 0;
  log_losses.minCoeff(&best);
  return score_scales()(best);
}

Examination Examination::none(Index outputs) {
  return {
      .log_losses = Vector::Zero(scale_count), .seen = Vector::Zero(outputs), .taken = Vector::Zero(outputs)};
}

Matrix Examination::row() const {
  Matrix row(1, leading_sums + scale_count + 2 * seen.size());
  row << weight, loss, constant_loss, log_losses.transpose(), seen.transpose(), taken.transpose();
  return row;
}

Examination Examination::of(const MatrixView<double>& row) {
  const Index classes = (row.cols() - leading_sums - scale_count) / 2;
  const Vector numbers = row.row(0);
  return {.weight = numbers(0),
          .loss = numbers(1),
          .constant_loss = numbers(2),
          .log_losses = numbers.segment(leading_sums, scale_count),
          .seen = numbers.segment(leading_sums + scale_count, classes),
          .taken = numbers.tail(classes)};
}

Examination examine(const Matrix& scores, const Questions& questions, const Vector& constant) {
  const Index outputs = scores.cols();
  Examination found = Examination::none(outputs);
  const Vector errors = (questions.targets - scores).rowwise().squaredNorm();
  const Vector spread = (questions.targets.rowwise() - constant.transpose()).rowwise().squaredNorm();
  found.weight = questions.weights.sum();
  found.loss = questions.weights.dot(errors);
  found.constant_loss = questions.weights.dot(spread);
  if (outputs > 1) examine_classes(scores, questions, found);
  return found;
}

}  // namespace choir::online_kernel
