#include "choir/learn/federated_kmeans/opening.h"

#include <algorithm>

namespace choir::federated_kmeans {
namespace {

constexpr double part_of_a_sample = 1e-6;  // counts may be averages, or scaled up

bool are_few(double samples, Index least) {
  return samples > part_of_a_sample && samples < static_cast<double>(least) - part_of_a_sample;
}

// Of one run: 1 x k.
Matrix opened_of(const Matrix& counts, Index least) {
  Matrix opened = Matrix::Ones(1, counts.cols());
  double closed = 0;
  const auto close = [&](Index cluster) {
    opened(cluster) = 0;
    closed += counts(cluster);
  };
  for (Index c = 0; c < counts.cols(); ++c)
    if (!(counts(c) >= static_cast<double>(least) - part_of_a_sample)) close(c);
  while (are_few(closed, least) && opened.sum() > 0) {
    Index smallest = -1;
    for (Index c = 0; c < counts.cols(); ++c)
      if (opened(c) > 0 && (smallest < 0 || counts(c) < counts(smallest))) smallest = c;
    close(smallest);
  }
  return opened;
}

}  // namespace

Matrix tally_sums(const MatrixView<double>& embedded, const RunCentres& centres, const Matrix& before) {
  std::vector<Index> then;  // of each sample and run
  visit_nearest(embedded, {.points = before, .sizes = centres.sizes},
                [&](Index, Index centre, Index, const auto&) { then.push_back(centre); });
  Matrix tally = Matrix::Zero(2, centres.points.cols());
  std::size_t at = 0;
  visit_nearest(embedded, centres, [&](Index, Index centre, Index nearest, const auto&) {
    tally(0, centre) += 1;
    if (then[at++] != centre) tally(1, centre - nearest) += 1;
  });
  return tally;
}

Matrix opened_clusters(const Matrix& tally, const std::vector<Index>& sizes, const OpeningRule& rule) {
  Matrix opened(1, tally.cols());
  Index at = 0;
  for (std::size_t run = 0; run < sizes.size(); ++run) {
    const Index clusters = sizes[run];
    const bool same = !rule.fresh[run] && tally(1, at) < static_cast<double>(rule.least) - part_of_a_sample;
    if (same) {
      opened.middleCols(at, clusters).setZero();
    } else {
      opened.middleCols(at, clusters) = opened_of(tally.block(0, at, 1, clusters), rule.least);
    }
    at += clusters;
  }
  return opened;
}

std::vector<bool> opened_in_order(const Matrix& opened) {
  std::vector<bool> flags;
  for (const double flag : opened.reshaped()) flags.push_back(flag > 0);
  return flags;
}

Matrix completed(Matrix sums, const Matrix& tally, const RunCentres& centres) {
  const Index r = centres.points.rows();
  sums.row(r) = tally.row(0);
  for (Index c = 0; c < sums.cols(); ++c) {
    if (!centres.opened[static_cast<std::size_t>(c)])
      sums.col(c).head(r) = tally(0, c) * centres.points.col(c);
  }
  return sums;
}

}  // namespace choir::federated_kmeans
