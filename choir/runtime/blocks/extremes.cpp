#include "choir/runtime/blocks/extremes.h"

#include <cmath>
#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

using Choose = double (*)(double, double);

Task<Vector> consensus(Node& node, Vector value, Index rounds, Kind kind, Choose choose) {
  for (Index round = 0; round < rounds; ++round) {
    Message mine(kind);
    mine.array(Array(value));
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    for (const Received& other : inbox) {
      const auto theirs = other.message.array(0).matrix();
      if (theirs.rows() != value.size() || theirs.cols() != 1) {
        fail(ErrorCategory::BadData, "node {} sent {} x {} values to node {}, which has {} x 1", other.from,
             theirs.rows(), theirs.cols(), node.id(), value.size());
      }
      value = value.binaryExpr(theirs.col(0), choose).eval();
    }
  }
  co_return value;
}

}  // namespace

double larger(double a, double b) {
  if (std::isunordered(a, b)) return a + b;
  return a < b ? b : a;
}

double smaller(double a, double b) {
  if (std::isunordered(a, b)) return a + b;
  return b < a ? b : a;
}

Task<Vector> max_consensus(Node& node, Vector value, Index rounds, Kind kind) {
  return consensus(node, std::move(value), rounds, kind, larger);
}

Task<Vector> min_consensus(Node& node, Vector value, Index rounds, Kind kind) {
  return consensus(node, std::move(value), rounds, kind, smaller);
}

}  // namespace choir
