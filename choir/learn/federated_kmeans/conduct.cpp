#include "choir/learn/federated_kmeans/conduct.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/federated_kmeans/seeding.h"

namespace choir::federated_kmeans {
namespace {

// Counts travel beside sums of embedded samples, and a fixed point for very large ones is too coarse for
// them.
void require_counts(const Total& total) {
  constexpr double part_of_a_sample = 1e-3;
  if (total.rounding < part_of_a_sample) return;
  fail(ErrorCategory::InvalidArgument,
       "sums of clusters are so large that masked words are off by up to {:.2g} and cannot hold the number "
       "of samples of a cluster; scale the samples down (--divide, --standardize zscore), or use --masks off",
       total.rounding);
}

// Of features whose means are 0.
Moments all_entries_of(const Moments& features) {
  return {.count = features.count * static_cast<double>(features.squares.size()),
          .mean = Vector::Zero(1),
          .squares = Vector::Constant(1, features.squares.sum())};
}

}  // namespace

Task<void> Conductor::run() {
  co_await devices_.open();
  require_enough_samples();
  co_await agree_on_preprocessing();
  co_await agree_on_kernel();
  CountedCentroids points{.points = Matrix(circumstances_.features, 0), .counts = Vector(0)};
  const bool from_centroids = options_.seeding == Seeding::centroids;
  if (from_centroids || options_.embedding == Embedding::nystroem) {
    const Message request = centroids_request(devices_.devices(), round_++);
    points = co_await devices_.collect(request, circumstances_.features);
  }
  co_await embed(points);
  if (from_centroids) {
    points.points = devices_.listener().embed_prepared(points.points);
  } else {
    points = co_await drawn_candidates();
  }
  co_await cluster(points);
  devices_.close();
}

void Conductor::require_enough_samples() const {
  if (devices_.samples() > static_cast<double>(fewest_unmasked(options_))) return;
  fail(ErrorCategory::InvalidArgument,
       "the devices that answered have {} samples together, and a sum over no more samples than the {} rows "
       "of the embedding can be solved for them; choose fewer {}",
       devices_.samples(), fewest_unmasked(options_),
       options_.embedding == Embedding::nystroem ? "landmarks" : "random features");
}

Task<Matrix> Conductor::sum(std::string what, Message question, AnswerShape shape) {
  const Word word = word_of(question);
  if (word != Word::means && word != Word::squares) shape.least_samples = fewest_unmasked(options_) + 1;
  const Total total = co_await devices_.sum(std::move(question), shape);
  if (word == Word::tally || word == Word::lloyd || word == Word::appraise || word == Word::weigh)
    require_counts(total);
  result_.rounds.push_back({.what = std::move(what),
                            .answered = total.answered.size(),
                            .silent = total.silent,
                            .refused = total.refused.size(),
                            .samples = total.samples,
                            .attempts = total.attempts});
  note_refusals(total);
  some_are_silent_ = !total.silent.empty();
  if (!(total.samples > 0)) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "no device with samples answered: all refused or were silent; use masks, or a smaller embedding");
  }
  co_return Matrix(total.sum * (devices_.samples() / total.samples));
}

void Conductor::note_refusals(const Total& total) {
  if (noted_refusals_ || total.refused.empty()) return;
  noted_refusals_ = true;
  result_.notes.push_back(
      fmt::format("devices {} refused: sums are not masked, and sums over no more than {} samples can be "
                  "solved for them; these devices get labels, but the clusters were found without them",
                  fmt::join(total.refused, ", "), fewest_unmasked(options_)));
}

std::optional<double> Conductor::bound(double of_unit_vectors) const {
  // Embedded samples have length 1 up to rounding, and up to a feature without a pair.
  const double slack = 1.01 * (1 + 1 / static_cast<double>(options_.n_features));
  const KernelKind kind = options_.kernel.kind;
  const bool unit = kind == KernelKind::rbf || kind == KernelKind::laplacian || kind == KernelKind::cosine;
  return unit ? std::optional(slack * of_unit_vectors) : std::nullopt;
}

// Sums, and then sums of squares about the mean, so that no digits are lost far from zero. Of the same
// devices: no total of either is one that the other one implies.
Task<Moments> Conductor::moments(bool of_entries) {
  const Index length = of_entries ? 1 : circumstances_.features;
  const auto of_a_sample = static_cast<double>(of_entries ? circumstances_.features : 1);
  const AnswerShape shape{.rows = 1, .cols = length};
  const Message first = means_question(of_entries, round_);
  const Matrix sums = co_await sum("means", first, shape);
  const double count =
      devices_.samples() * of_a_sample;  // not before: newcomers are taken in with a question
  Moments moments{.count = count, .mean = sums.row(0).transpose() / count};
  const Message second = squares_question(moments.mean, round_++);
  const AnswerShape of_the_same{.rows = 1, .cols = length, .same_round = true};
  const Matrix squares = co_await sum("squares", second, of_the_same);
  moments.squares = squares.row(0).transpose().cwiseMax(0);
  co_return moments;
}

Task<void> Conductor::agree_on_preprocessing() {
  Preprocessing agreed = options_.preprocessing;
  if (agreed.standardize == Standardize::zscore) {
    const Moments features = co_await moments(false);
    agreed = fit_zscore(agreed, features);
    Matrix both(agreed.mean.size(), 2);
    both << agreed.mean, agreed.scale;
    const Matrix settled = co_await devices_.settle(std::move(both), Kind::totals);
    agreed.mean = settled.col(0);
    agreed.scale = settled.col(1);
    standardized_ = features.divided_by(agreed.divide);
    standardized_->squares =
        constant(features).select(0, standardized_->squares.array() / agreed.scale.array().square());
    standardized_->mean = (standardized_->mean - agreed.mean).cwiseQuotient(agreed.scale);
  }
  devices_.tell(preprocessing_statement(agreed));
}

Task<double> Conductor::agreed_gamma_of() {
  if (options_.gamma.rule == GammaRule::scale) {
    Moments entries;
    if (standardized_) {
      entries = all_entries_of(*standardized_);
    } else {
      entries = co_await moments(true);
    }
    co_return gamma_scale(circumstances_.features, entries);
  }
  if (options_.gamma.rule == GammaRule::median) {
    result_.notes.push_back(median_stand_in_note);
    if (standardized_) co_return gamma_median_stand_in(*standardized_);
    const Moments features = co_await moments(false);
    co_return gamma_median_stand_in(features);
  }
  co_return options_.gamma.value;
}

Task<void> Conductor::agree_on_kernel() {
  if (!uses_gamma(options_.kernel.kind)) co_return;
  const double mine = co_await agreed_gamma_of();
  const Matrix gamma = co_await devices_.settle(Matrix::Constant(1, 1, mine), Kind::totals);
  devices_.tell(kernel_statement(gamma(0, 0)));
}

// k-means||, Bahmani et al. 2012: at first one sample of each device, then more of those far from all
// candidates.
Task<CountedCentroids> Conductor::drawn_candidates() {
  const Index length = devices_.listener().model().dimension();
  CountedCentroids candidates{.points = Matrix(length, 0), .counts = Vector(0)};
  double odds = 0;
  for (Index round = 0; round <= parallel_rounds; ++round) {
    const Message request = draw_request(candidates.points, odds, round_++);
    const CountedCentroids drawn = co_await devices_.collect(request, length);
    candidates = beside(candidates, drawn);
    const Message question = cost_question(candidates.points, round_++);
    const AnswerShape shape{.rows = 1, .cols = 1, .bound = bound(4)};
    const Matrix phi = co_await sum("cost", question, shape);
    if (!(phi(0, 0) > 0)) break;
    odds = oversampling(most_clusters(options_)) / phi(0, 0);
  }
  const Message question = weigh_question(candidates.points, round_++);
  const AnswerShape shape{.rows = candidates.points.cols(), .cols = 1, .bound = 1.0};
  const Matrix weights = co_await sum("weigh", question, shape);
  candidates.counts = weights.col(0).cwiseMax(0);
  co_return candidates;
}

bool Conductor::speaks() const { return options_.coordination == Coordination::server || result_.node == 0; }

}  // namespace choir::federated_kmeans
