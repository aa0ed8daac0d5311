#include "choir/cli/consensus_report.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/report/text_table.h"

namespace choir::cli {
namespace {

Json numbers_of(const ConsensusKpca& fit) {
  Json history = Json::array();
  for (const ConsensusIteration& iteration : fit.history) {
    history.push_back({iteration.change, iteration.gap});
  }
  return {{"node", fit.node},
          {"converged", fit.converged},
          {"iterations", fit.iterations},
          {"change", fit.change},
          {"consensus_gap", list_of(fit.consensus_gap)},
          {"between_node_variance", fit.between_node_variance},
          {"eigenvalues", list_of(fit.eigenvalues)},
          {"trace", fit.trace},
          {"rho", fit.rho},
          {"gamma", fit.kernel.gamma},
          {"setup_s", fit.setup_seconds},
          {"iterate_s", fit.iterate_seconds},
          {"notes", fit.notes},
          {"history", std::move(history)}};
}

std::string component_table(const RunResult& result) {
  Table table({"component", "eigenvalue", "explained", "consensus gap"});
  for (Index d = 0; d < result.n_components; ++d) {
    table.add_row({fmt::format("{}", d + 1), number(result.eigenvalues(d)),
                   fmt::format("{:.2f}%", 100 * result.explained_variance_ratio(d)),
                   fmt::format("{:.1e}", result.consensus_gap[static_cast<std::size_t>(d)])});
  }
  return table.text();
}

std::string quality_words(const RunResult& result) {
  if (result.quality.empty()) return {};
  return fmt::format("\n\n{}\nsmallest cosine to the central subspace: {:.4f}",
                     similarity_table(result, {{"local", "local"},
                                               {"gather_own", "gathered, own"},
                                               {"similarity_own", "consensus, own"},
                                               {"oracle", "best of own"},
                                               {"gather_neighborhood", "gathered"},
                                               {"similarity_neighborhood", "consensus"},
                                               {"similarity_shared", "consensus, shared"}}),
                     result.quality_numbers.at("subspace_cosine_min"));
}

std::string ending_words(const RunResult& result) {
  if (!result.converged) return fmt::format("{} iterations, a run of fixed length", result.iterations);
  return fmt::format("{} after {} iteration{}", *result.converged ? "converged" : "NOT converged",
                     result.iterations, result.iterations == 1 ? "" : "s");
}

}  // namespace

Json numbers_of(const ConsensusKpcaFit& fit) {
  Json nodes = Json::array();
  for (const auto& node : fit.nodes) {
    if (node) nodes.push_back(numbers_of(*node));
  }
  return nodes;
}

void summarise_consensus(const std::vector<Json>& nodes, RunResult& result) {
  const Json& first = nodes.front();
  result.eigenvalues = vector_of(first.at("eigenvalues"));
  result.explained_variance_ratio = result.eigenvalues / first.at("trace").get<double>();
  result.n_components = result.eigenvalues.size();
  result.between_node_variance = first.at("between_node_variance").get<double>();
  result.extra["rho"] = first.at("rho");
  result.converged = true;
  result.change = 0;
  Vector gap = Vector::Zero(result.n_components);
  for (const Json& node : nodes) {
    gap += vector_of(node.at("consensus_gap")) / static_cast<double>(nodes.size());
    result.converged = *result.converged && node.at("converged").get<bool>();
    result.iterations = std::max(result.iterations, node.at("iterations").get<Index>());
    result.change = std::max(*result.change, node.at("change").get<double>());
    result.setup_seconds = std::max(result.setup_seconds, node.at("setup_s").get<double>());
    result.iterate_seconds = std::max(result.iterate_seconds, node.at("iterate_s").get<double>());
    add_notes(node.at("notes").get<std::vector<std::string>>(), result);
  }
  result.consensus_gap.assign(gap.begin(), gap.end());
}

void describe_quality(const ConsensusQuality& quality, RunResult& result) {
  describe_yardsticks(quality.yardsticks, result);
  result.quality["similarity_own"] = quality.similarity_own;
  if (quality.similarity_neighborhood.size() > 0) {
    result.quality["similarity_neighborhood"] = quality.similarity_neighborhood;
  }
  if (quality.similarity_shared.size() > 0) result.quality["similarity_shared"] = quality.similarity_shared;
  result.quality_numbers["subspace_cosine_min"] = quality.subspace_cosine_min;
}

std::vector<Json> iteration_lines(const Json& node, const Vector& similarity) {
  std::vector<Json> lines;
  for (const Json& iteration : node.at("history")) {
    lines.push_back({{"node", node.at("node")},
                     {"iteration", lines.size() + 1},
                     {"change", iteration.at(0)},
                     {"gap", iteration.at(1)}});
    const auto place = static_cast<Index>(lines.size()) - 1;
    if (place < similarity.size()) lines.back()["similarity"] = similarity(place);
  }
  return lines;
}

std::string consensus_table(const RunResult& result) {
  return fmt::format("{}{}\n\n{}\n{}", component_table(result), quality_words(result), sent_words(result),
                     ending_words(result));
}

}  // namespace choir::cli
