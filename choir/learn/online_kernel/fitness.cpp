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
  const double change = block.distances / block.samples - usual.distances / usual.samples;
  return std::abs(change) > strange_distance ||
         block.lengths / block.samples < strange_length * usual.lengths / usual.samples;
}

}  // namespace

void FitSums::add(const Scene& scene, const Samples& more, const Matrix& psi) {
  const Vector squares = (more.colwise() - scene.centre).colwise().squaredNorm().transpose() / scene.spread;
  samples += static_cast<double>(more.cols());
  distances += squares.array().max(1 / largest_ratio).min(largest_ratio).log().sum();
  lengths += psi.squaredNorm();
}

Matrix FitSums::row() const {
  Matrix row(1, fit_numbers);
  row << samples, distances, lengths;
  return row;
}

FitSums FitSums::of(const MatrixView<double>& row) {
  if (row.rows() != 1 || row.cols() != fit_numbers)
    fail(ErrorCategory::BadData, "{} x {} numbers say how features fit, where 1 x {} are expected", row.rows(),
         row.cols(), fit_numbers);
  return {.samples = row(0, 0), .distances = row(0, 1), .lengths = row(0, 2)};
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
