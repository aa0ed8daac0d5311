#include "choir/learn/gossip_pca/change_window.h"

#include <cmath>

namespace choir::gossip_pca {
namespace {

double sum_of_differences(const Vector& a, const Vector& b) {
  const Index common = std::min(a.size(), b.size());
  return (a.head(common) - b.head(common)).cwiseAbs().sum() + a.tail(a.size() - common).cwiseAbs().sum() +
         b.tail(b.size() - common).cwiseAbs().sum();
}

}  // namespace

ChangeWindow::Snapshot ChangeWindow::snapshot_of(const Summary& summary) {
  if (!(summary.weight > 0)) return {};
  return {.mean = summary.sum / summary.weight,
          .variances = summary.values / summary.weight,
          .trace = summary.trace / summary.weight};
}

void ChangeWindow::restart(const Summary& now) {
  seen_ = 0;
  widest_ = 0;
  before_ = snapshot_of(now);
  change_ = std::numeric_limits<double>::infinity();
}

void ChangeWindow::close(const Summary& now) {
  const Snapshot after = snapshot_of(now);
  const double spread = std::max(after.trace, before_.trace);
  const double scale = std::sqrt(spread + after.mean.squaredNorm());
  change_ =
      std::max(std::abs(after.trace - before_.trace), sum_of_differences(after.variances, before_.variances));
  if (spread > 0) change_ /= spread;
  if (scale > 0 && after.mean.size() == before_.mean.size()) {
    change_ = std::max(change_, (after.mean - before_.mean).norm() / scale);
  }
  gap_ = widest_;
  seen_ = 0;
  widest_ = 0;
  before_ = after;
}

}  // namespace choir::gossip_pca
