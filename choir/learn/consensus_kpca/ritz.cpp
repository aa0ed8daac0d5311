#include "choir/learn/consensus_kpca/ritz.h"

#include <utility>

#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::consensus_kpca {
namespace {

// The squares, and below them a row with everything else: columns >= 1, so one of them may have to be wider.
constexpr Index further = 4;

Matrix packed(const RitzSums& sums) {
  const Index columns = sums.squares.cols();
  Matrix all = Matrix::Zero(columns + further, columns);
  all.topRows(columns) = sums.squares;
  all(columns, 0) = sums.trace;
  all(columns + 1, 0) = sums.samples;
  all(columns + 2, 0) = sums.content ? 0 : 1;  // how many are not
  all.row(columns + 3) = sums.sum.transpose();
  return all;
}

RitzStep decomposed(const Matrix& all) {
  const Index columns = all.cols();
  const auto sum = all.row(columns + 3);
  const Matrix squares = all.topRows(columns) - sum.transpose() * sum / all(columns + 1, 0);
  const EigenPairs pairs = eigen_symmetric<double>((squares + squares.transpose()) / 2);
  return {.turn = pairs.vectors,
          .eigenvalues = pairs.values.cwiseMax(0),
          .trace = all(columns, 0),
          .all_content = all(columns + 2, 0) < 0.5};
}

Message to_message(const RitzStep& step) {
  Message message(Kind::totals);
  message.integer(step.all_content ? 1 : 0).number(step.trace).array(step.turn).array(step.eigenvalues);
  return message;
}

}  // namespace

Task<RitzStep> agreed_ritz(Node& node, SecureSums& sums, RitzSums mine) {
  Matrix own = packed(mine);
  const std::optional<Matrix> all = co_await secure_sum_at_root(node, sums, std::move(own));
  Message result(Kind::totals);
  if (all) result = to_message(decomposed(*all));
  const Message agreed = co_await broadcast(node, node.tree(), result);
  RitzStep step;
  step.all_content = agreed.integer(0) != 0;
  step.trace = agreed.number(0);
  step.turn = agreed.array(0).matrix();
  step.eigenvalues = agreed.array(1).matrix();
  co_return step;
}

Task<RitzStep> averaged_ritz(Node& node, RitzSums mine, double mixing, Index samples) {
  AverageOptions options;
  options.mixing = mixing;
  const Matrix own = packed(mine);
  const Average mean = co_await average(node, own, options);
  const Index columns = mine.squares.cols();
  const double scale = static_cast<double>(samples) / mean.mean(columns + 1, 0);
  Matrix all = scale * mean.mean;
  all(columns + 2, 0) = mean.mean(columns + 2, 0) * static_cast<double>(node.network_size());
  co_return decomposed(all);
}

}  // namespace choir::consensus_kpca
