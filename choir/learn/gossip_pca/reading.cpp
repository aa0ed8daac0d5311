#include "choir/learn/gossip_pca/reading.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/linalg/signs.h"

namespace choir::gossip_pca {
namespace {

constexpr double skew_factor = 3;  // times what chance gives
constexpr Index enough_carry = 4;  // times the components, where nodes see different things

constexpr const char* unrefined_note =
    "the answer is that of gossip alone, which may have lost variance in its merges: it could not be "
    "refined, because a node died, was out of reach or did not answer in time; run it again when all nodes "
    "can be reached";
constexpr const char* unappraised_note =
    "nothing is claimed: how well the features stand for the kernel is measured by sums over all nodes, "
    "which "
    "could not be formed";
constexpr const char* unclaimed_note =
    "nothing is claimed: how well the features stand for the kernel is measured only where the answer is "
    "refined, which a stream, --half-life and --tol 0 exclude";

void keep_components(Matrix directions, const Vector& variances, const Options& options, NodeResult& result) {
  const Index most = std::min(directions.cols(), variances.size());
  const Index q = components_of(variances.head(most), result.total_variance, options.n_components);
  result.directions = directions.leftCols(q);
  if (q > 0) fix_signs<double>(result.directions);
  result.variances = variances.head(q);
}

void require_share(const Options& options, const NodeResult& result) {
  const double explained = result.total_variance > 0 ? result.variances.sum() / result.total_variance : 1;
  if (explained >= options.n_components.fraction) return;
  refuse_share(options.n_components, result.variances.size(), explained);
}

// A refined answer has lost nothing.
void note_skew(const Options& options, NodeResult& result) {
  if (result.refined || options.partition == Division::coordinates || options.merge != MergeRule::gram)
    return;
  const double chance = static_cast<double>(result.participants) / std::max(1.0, result.total_weight);
  const Index carry = carried_directions(options);
  if (result.between_node_variance <= skew_factor * chance) return;
  if (carry >= enough_carry * result.variances.size()) return;
  result.notes.push_back(fmt::format(
      "the nodes' data differ: {:.1f}% of the variance lies between the nodes' means, where chance gives "
      "{:.1f}%; carry {} may lose some of it, {} is safe",
      100 * result.between_node_variance, 100 * chance, carry, enough_carry * result.variances.size()));
}

// What the variances are shares of: about the mean, or about the origin as they are.
double total_of(const Summary& summary, const SummaryRule& rule) {
  return rule.centred() ? summary.trace : summary.trace + summary.sum.squaredNorm() / summary.weight;
}

}  // namespace

void read_estimate(const Estimate& estimate, const Options& options, NodeResult& result) {
  const Summary& summary = estimate.summary();
  estimate.describe(result);
  Principal principal = principal_of(summary, estimate.rule(), most_components(options));
  if (summary.weight > 0) result.total_variance = total_of(summary, estimate.rule()) / summary.weight;
  keep_components(std::move(principal.directions), principal.variances, options, result);
  result.mean = std::move(principal.mean);
  result.total_weight = static_cast<double>(result.participants) * summary.weight / summary.nodes;
  result.samples = options.partition == Division::samples
                       ? static_cast<Index>(std::llround(result.total_weight))
                       : summary.dimension();
  if (options.partition == Division::samples && summary.trace > 0)
    result.between_node_variance = std::max(0.0, 1 - summary.within / summary.trace);
}

void read_refined(const Refined& refined, const Options& options, NodeResult& result) {
  result.refined = true;
  result.refinement_steps = refined.steps;
  result.converged = refined.converged;
  result.change = refined.growth;
  result.gap = 0;  // all nodes have the same
  if (options.partition == Division::samples) result.between_node_variance = refined.between_nodes;
  result.total_variance = refined.total_variance;
  result.total_weight = refined.samples;
  if (options.schedule == Schedule::tree) result.weight = refined.samples;  // every node holds all of it
  result.mean = refined.mean;
  if (options.partition == Division::samples)
    result.samples = static_cast<Index>(std::llround(refined.samples));
  keep_components(refined.directions, refined.values, options, result);
  const Index q = result.variances.size();
  Assessment& assessment = result.assessment.emplace();
  assessment.captured_variance = result.variances;
  assessment.total_variance = refined.total_variance;
  assessment.unseparated = unseparated_groups(refined.values, q);
  assessment.claimed_similarity = claims_of(refined, q);
  assessment.captured_share = refined.captured_share;
  const bool features = options.features != FeatureKind::none;
  call_weak_claims(assessment, features
                                   ? feature_advice(options, result.samples)
                                   : fmt::format("raise --carry, which is {}", carried_directions(options)));
}

void read_unrefined(const Options& options, NodeResult& result) {
  result.torn = true;
  result.notes.emplace_back(unrefined_note);
  if (options.features == FeatureKind::none) return;
  result.converged = false;
  result.notes.emplace_back(unappraised_note);
}

void doubt_features(const KernelForm& form, const MatrixView<double>& psi, const Options& options,
                    NodeResult& result) {
  result.notes.emplace_back(unclaimed_note);
  const double claim = own_claim(form, psi, result.variances);
  if (claim >= weak_claim) return;
  Assessment& assessment = result.assessment.emplace();
  assessment.total_variance = result.total_variance;
  assessment.weaknesses.push_back(
      fmt::format("node {} finds that the features do not represent the kernel: by its own samples they "
                  "leave a similarity of {:.2f} to the central components; {}",
                  result.node, claim, feature_advice(options, result.samples)));
}

void check_answer(const Options& options, NodeResult& result) {
  if (result.variances.size() == 0) {
    fail(
        ErrorCategory::InvalidArgument, "node {} found no component with any variance: {}", result.node,
        options.features == FeatureKind::none
            ? "all samples that it has heard of are equal"
            : "all samples that it has heard of are equal, or gamma is so large that none resembles another; "
              "lower --gamma");
  }
  if (options.n_components.by_fraction()) {
    require_share(options, result);
  } else if (const Index found = result.variances.size(); found < options.n_components.count) {
    result.notes.push_back(
        fmt::format("node {} found only {} component{} with any variance, not the {} that were requested",
                    result.node, found, found == 1 ? "" : "s", options.n_components.count));
  }
  note_skew(options, result);
  if (options.half_life && !result.counts.came_back.empty()) {
    result.notes.push_back(
        fmt::format("node {} gave up on node {}, took back what it had sent there, and heard from it again: "
                    "some samples may "
                    "count twice",
                    result.node, result.counts.came_back.front()));
  }
}

Matrix loadings_of(SamplesMap rows, const Vector& mean, const NodeResult& result) {
  const Vector scatter = result.variances * result.total_weight;
  return (rows.colwise() - mean) * result.directions * scatter.cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace choir::gossip_pca
