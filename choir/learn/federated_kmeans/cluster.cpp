// The conductor's way to clusters: where to begin, Lloyd's iterations, and which run to keep.
#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "choir/learn/federated_kmeans/conduct.h"
#include "choir/learn/federated_kmeans/opening.h"
#include "choir/learn/federated_kmeans/seeding.h"
#include "choir/learn/federated_kmeans/swaps.h"

namespace choir::federated_kmeans {

// k, or all from 2 on that are to be tried and have distinct points to start from.
Task<std::vector<Index>> Conductor::numbers_of_clusters(const CountedCentroids& points) {
  if (options_.n_clusters) co_return std::vector<Index>{*options_.n_clusters};
  const Index mine = std::max<Index>(2, distinct_places(points.points, options_.max_clusters));
  const Matrix most =
      co_await devices_.settle(Matrix::Constant(1, 1, static_cast<double>(mine)), Kind::control);
  std::vector<Index> numbers;
  for (Index k = 2; k <= static_cast<Index>(most(0, 0)); ++k) numbers.push_back(k);
  co_return numbers;
}

Task<std::vector<Matrix>> Conductor::starts(const CountedCentroids& points) {
  const std::vector<Index> numbers = co_await numbers_of_clusters(points);
  const std::uint64_t seed = seed_for(Purpose("federated-kmeans seeding"));
  const Index centres = std::accumulate(numbers.begin(), numbers.end(), Index{0});
  const Index restarts = restart_count(options_, centres, points.points.rows());
  std::vector<Matrix> mine;
  for (const Index clusters : numbers) {
    // Where restarts are few there are many clusters, and published centroids are better starts for these.
    const Index drawn = std::clamp<Index>(restarts - fewest_restarts, 0, restarts / 2);
    std::ranges::move(
        seeded_starts(points, {.clusters = clusters, .restarts = restarts - drawn, .seed = seed}),
        std::back_inserter(mine));
    std::ranges::move(drawn_starts(spread_, {.clusters = clusters, .restarts = drawn, .seed = seed}),
                      std::back_inserter(mine));
  }
  mine = co_await settled(std::move(mine));
  co_return mine;
}

Task<std::vector<Matrix>> Conductor::settled(std::vector<Matrix> mine) {
  RunCentres all = RunCentres::of(mine);
  const Matrix decided = co_await devices_.settle(std::move(all.points), Kind::coefficients);
  Index at = 0;
  for (Matrix& start : mine) {
    start = decided.middleCols(at, start.cols());
    at += start.cols();
  }
  co_return mine;
}

void Conductor::note_restlessness() {
  const bool server = options_.coordination == Coordination::server;
  result_.notes.push_back(fmt::format(
      "k-means ended while centres still moved, because their movement had not decreased for {} rounds: {}",
      most_restless,
      server ? "some devices did not answer every time, so sums are over different devices each time"
             : "gossip with so few messages gives averages that differ each time; send more messages"));
}

// Not if some devices are silent now and then, or if gossip has not finished its averages.
bool Conductor::sums_are_exact() const {
  const bool unfinished_averages =
      options_.coordination == Coordination::gossip && options_.messages_per_node > 0;
  return !some_are_silent_ && !unfinished_averages;
}

Task<void> Conductor::one_move(LloydRuns& runs, const std::vector<double>& to_beat) {
  RunCentres centres = runs.question();
  const Index columns = centres.points.cols();
  const AnswerShape counts{.rows = 2, .cols = columns, .bound = 1.0};
  const Message count = tally_question(centres, runs.opened_before(), round_);
  const Matrix tally = co_await sum("counts", count, counts);
  Matrix mine = opened_clusters(tally, centres.sizes, {.fresh = runs.fresh(), .least = options_.min_count});
  const Matrix agreed = co_await devices_.settle(std::move(mine), Kind::control);
  centres.opened = opened_in_order(agreed);
  const AnswerShape shape{
      .rows = centres.points.rows() + 2, .cols = columns, .bound = bound(4), .same_round = true};
  const Message question = lloyd_question(centres, round_++);
  Matrix sums = co_await sum("lloyd", question, shape);
  sums = completed(std::move(sums), tally, centres);
  runs.absorb(sums, sums_are_exact() ? LloydRuns::Sums::exact : LloydRuns::Sums::inexact, centres.opened);
  if (!to_beat.empty()) runs.end_above(to_beat);
  const Matrix motion = co_await devices_.settle(runs.motion(), Kind::control);
  runs.set_motion(motion.col(0));
}

Task<void> Conductor::move_centres(LloydRuns& runs) {
  const std::vector<double> nothing;
  for (Index iteration = 0; runs.moving(); ++iteration) {
    if (speaks()) node_.watch().report("k-means", iteration, options_.max_iter);
    co_await one_move(runs, nothing);
  }
}

// Of each base the best proposal, if it is better than the base; else the base as it was.
Task<std::vector<LloydRun>> Conductor::better_by_swaps(const std::vector<LloydRun>& bases) {
  const std::uint64_t seed = seed_for(Purpose("federated-kmeans swaps"));
  std::vector<Matrix> starts;
  std::vector<double> to_beat;
  Index behind = 0;
  for (const LloydRun& base : bases) {
    std::ranges::move(
        swapped_starts(base, spread_, {.clusters = base.clusters(), .restarts = swaps_at_once, .seed = seed}),
        std::back_inserter(starts));
    to_beat.insert(to_beat.end(), static_cast<std::size_t>(swaps_at_once), (1 - worth_a_swap) * base.inertia);
    behind = std::max(behind, base.iterations);
  }
  starts = co_await settled(std::move(starts));
  LloydRuns runs(std::move(starts), {.tol = options_.tol, .max_iter = options_.max_iter, .first = behind});
  const std::vector<double> nothing;
  for (Index iteration = 1; runs.moving(); ++iteration) {
    co_await one_move(runs, iteration < swap_trial ? nothing : to_beat);
  }
  Matrix mine = Matrix::Constant(std::ssize(bases), 1, -1);
  for (Index i = 0; i < runs.size(); ++i) {
    const Index base = i / swaps_at_once;
    const LloydRun& run = runs.at(i);
    const bool ahead = run.converged && run.inertia < to_beat[static_cast<std::size_t>(i)];
    const auto best = static_cast<Index>(mine(base, 0));
    if (ahead && (best < 0 || run.inertia < runs.at(best).inertia)) mine(base, 0) = static_cast<double>(i);
  }
  const Matrix chosen = co_await devices_.settle(std::move(mine), Kind::control);
  std::vector<LloydRun> better = bases;
  for (std::size_t b = 0; b < bases.size(); ++b) {
    const auto best = static_cast<Index>(chosen(static_cast<Index>(b), 0));
    if (best >= 0) better[b] = runs.at(best);
  }
  co_return better;
}

Task<void> Conductor::improve_by_swaps(LloydRuns& runs) {
  std::vector<LloydRun> bases;
  const std::map<Index, Index> best = runs.best_by_clusters();
  for (const auto& [clusters, place] : best) {
    const Matrix settled =
        co_await devices_.settle(Matrix::Constant(1, 1, static_cast<double>(place)), Kind::control);
    const LloydRun& base = runs.at(static_cast<Index>(settled(0, 0)));
    if (clusters >= fewest_to_swap && base.converged) bases.push_back(base);
  }
  for (Index round = 0; !bases.empty() && sums_are_exact(); ++round) {
    if (round == most_swap_rounds) {
      result_.unfinished_swaps = true;
      break;
    }
    const std::vector<LloydRun> better = co_await better_by_swaps(bases);
    std::vector<LloydRun> improved;
    for (std::size_t b = 0; b < bases.size(); ++b) {
      if (better[b].inertia == bases[b].inertia) continue;
      runs.add(better[b]);
      improved.push_back(better[b]);
    }
    bases = std::move(improved);
  }
}

Task<void> Conductor::cluster(const CountedCentroids& points) {
  std::vector<Matrix> begin = co_await starts(points);
  const bool server = options_.coordination == Coordination::server;
  // Without a server nodes differ by rounding, and might take different spares.
  LloydRuns runs(std::move(begin), {.tol = options_.tol, .max_iter = options_.max_iter},
                 server ? points : CountedCentroids{});
  co_await move_centres(runs);
  co_await improve_by_swaps(runs);
  RunCentres all = runs.all();
  const AnswerShape shape{.rows = 3, .cols = all.points.cols(), .bound = bound(4)};
  const Message question = appraise_question(std::move(all), round_++);
  const Matrix sums = co_await sum("appraise", question, shape);
  runs.appraise(sums);
  const auto mine = static_cast<double>(runs.best());
  const Matrix best = co_await devices_.settle(Matrix::Constant(1, 1, mine), Kind::control);
  keep(runs, static_cast<Index>(best(0, 0)));
}

void Conductor::keep(const LloydRuns& runs, Index best) {
  const LloydRun& run = runs.at(best);
  result_.change = run.change;
  if (run.clusters() > 1) result_.silhouette = run.silhouette;
  if (!options_.n_clusters) {
    for (const auto& [clusters, place] : runs.best_by_clusters()) {
      result_.tried.push_back(
          {.clusters = clusters, .silhouette = runs.at(place).silhouette, .inertia = runs.at(place).inertia});
    }
  }
  if (speaks() && !run.converged && run.iterations < options_.max_iter) note_restlessness();
  devices_.tell(clusters_statement({.centroids = run.centres,
                                    .counts = run.counts,
                                    .inertia = run.inertia,
                                    .samples = static_cast<Index>(devices_.samples()),
                                    .iterations = run.iterations,
                                    .converged = run.converged}));
}

}  // namespace choir::federated_kmeans
