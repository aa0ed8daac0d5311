#include "choir/learn/online_kernel/fitness.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"

namespace choir::online_kernel {
namespace {

const double strange_distance = std::log(4.0);
constexpr double strange_length = 0.5;
constexpr double largest_ratio = 1e9;  // of squared distances

bool is_strange(const FitSums& block, const FitSums& usual) {
  const double distance = block.distances / block.samples - usual.distances / usual.samples;
  const double step =
      block.steps / block.pairs - usual.steps / usual.pairs;  // NaN without pairs: no judgement
  return std::abs(distance) > strange_distance || std::abs(step) > strange_distance ||
         block.lengths / block.samples < strange_length * usual.lengths / usual.samples;
}

double log_lengths(const Matrix& differences, double unit) {
  const Vector ratios = differences.colwise().squaredNorm().transpose() / unit;
  return ratios.array().max(1 / largest_ratio).min(largest_ratio).log().sum();
}

}  // namespace

void FitSums::add(const Scene& scene, const Samples& more, const Matrix& psi) {
  if (more.cols() == 0) return;
  const Index following = more.cols() - 1;
  samples += static_cast<double>(more.cols());
  pairs += static_cast<double>(following);
  distances += log_lengths(more.colwise() - scene.centre, scene.spread);
  steps += log_lengths(more.rightCols(following) - more.leftCols(following), scene.spread);
  lengths += psi.squaredNorm();
}

Matrix FitSums::row() const {
  Matrix row(1, fit_numbers);
  row << samples, pairs, distances, steps, lengths;
  return row;
}

FitSums FitSums::of(const MatrixView<double>& row) {
  if (row.rows() != 1 || row.cols() != fit_numbers)
    fail(ErrorCategory::BadData, "{} x {} numbers say how features fit, where 1 x {} are expected",
         row.rows(), row.cols(), fit_numbers);
  return {.samples = row(0, 0),
          .pairs = row(0, 1),
          .distances = row(0, 2),
          .steps = row(0, 3),
          .lengths = row(0, 4)};
}

void Fitness::close_block(const FitSums& block) {
  if (block.samples <= 0) return;
  if (usual.samples <= 0) {
    usual = block;
  } else {
    strange_blocks = is_strange(block, usual) ? strange_blocks + 1 : 0;
  }
}

}  // namespace choir::online_kernel
