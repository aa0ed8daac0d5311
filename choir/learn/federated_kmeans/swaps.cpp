#include "choir/learn/federated_kmeans/swaps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace choir::federated_kmeans {
namespace {

struct Departure {
  Index centre = 0;
  Index heir = 0;  // the centre that gets its samples
  double price = 0;
};

struct Swap {
  Departure from;
  Index divided = 0;
  double hope = 0;  // squared distances to divide, less the price
};

// What it costs to do without each centre.
std::vector<Departure> departures(const LloydRun& run) {
  std::vector<Departure> all;
  for (Index a = 0; a < run.clusters(); ++a) {
    Departure cheapest{.centre = a, .heir = a, .price = std::numeric_limits<double>::infinity()};
    for (Index b = 0; b < run.clusters(); ++b) {
      const double both = run.counts(a) + run.counts(b);
      if (a == b) continue;
      const double distance = (run.centres.col(a) - run.centres.col(b)).squaredNorm();
      const double price = both > 0 ? run.counts(a) * run.counts(b) / both * distance : 0;
      if (price < cheapest.price) cheapest = {.centre = a, .heir = b, .price = price};
    }
    all.push_back(cheapest);
  }
  return all;
}

std::vector<Swap> swaps_by_hope(const LloydRun& run) {
  std::vector<Swap> swaps;
  for (const Departure& from : departures(run)) {
    for (Index divided = 0; divided < run.clusters(); ++divided) {
      if (divided == from.centre || divided == from.heir || run.counts(divided) < 2) continue;
      swaps.push_back({.from = from, .divided = divided, .hope = run.squares(divided) - from.price});
    }
  }
  std::ranges::stable_sort(swaps, std::greater<>(), &Swap::hope);
  return swaps;
}

bool touches(const Swap& swap, const Swap& other) {
  const Index mine[] = {swap.from.centre, swap.from.heir, swap.divided};
  const Index others[] = {other.from.centre, other.from.heir, other.divided};
  return std::ranges::find_first_of(mine, others) != std::end(mine);
}

// The best that have no centre in common.
std::vector<Swap> apart(const std::vector<Swap>& swaps, Index most) {
  std::vector<Swap> chosen;
  for (const Swap& swap : swaps) {
    if (std::ssize(chosen) == most) break;
    if (std::ranges::none_of(chosen, [&](const Swap& other) { return touches(swap, other); }))
      chosen.push_back(swap);
  }
  return chosen;
}

void apply(const Swap& swap, const LloydRun& run, const Matrix& spread, Rng& rng, Matrix& centres) {
  const Index a = swap.from.centre, heir = swap.from.heir, divided = swap.divided;
  const double both = run.counts(a) + run.counts(heir);
  if (both > 0) {
    centres.col(heir) =
        (run.counts(a) * run.centres.col(a) + run.counts(heir) * run.centres.col(heir)) / both;
  }
  const Vector normal = Vector::NullaryExpr(spread.cols(), [&] { return rng.normal(); });
  Vector step = spread * normal;
  const double radius = std::sqrt(std::max(0.0, run.squares(divided)) / run.counts(divided));
  if (step.norm() > 0) step *= 0.5 * radius / step.norm();
  centres.col(a) = run.centres.col(divided) + step;
  centres.col(divided) = run.centres.col(divided) - step;
}

}  // namespace

std::vector<Matrix> swapped_starts(const LloydRun& run, const Matrix& spread, const StartOptions& options) {
  const std::vector<Swap> swaps = swaps_by_hope(run);
  const std::vector<Swap> together = apart(swaps, options.restarts / 2);
  std::vector<Matrix> starts;
  for (Index proposal = 0; proposal < options.restarts; ++proposal) {
    Rng rng(options.seed, Purpose("federated-kmeans swap"), static_cast<std::uint64_t>(run.iterations),
            static_cast<std::uint64_t>(proposal));
    Matrix centres = run.centres;
    const Index single = proposal - options.restarts / 2;
    if (single < 0) {
      for (Index i = 0; i <= std::min(proposal, std::ssize(together) - 1); ++i)
        apply(together[static_cast<std::size_t>(i)], run, spread, rng, centres);
    } else if (!swaps.empty()) {
      apply(swaps[static_cast<std::size_t>(single % std::ssize(swaps))], run, spread, rng, centres);
    }
    starts.push_back(std::move(centres));
  }
  return starts;
}

}  // namespace choir::federated_kmeans
