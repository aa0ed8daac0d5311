#include "choir/learn/gossip_pca/facts.h"

namespace choir::gossip_pca {

Facts facts_of(const Findings& all, const Options& options, Index nodes, double messages_per_node) {
  Facts facts;
  facts.set("partition", to_string(options.partition))
      .set("merge", to_string(options.merge))
      .set("carry", carried_directions(options))
      .set("schedule", to_string(options.schedule))
      .set("feature_map", to_string(options.features))
      .set("gap", all.gap)
      .set("messages_per_node", messages_per_node)
      .set("mass", all.mass)
      .set("merge_share", all.merge_share)
      .set("participants",
           Facts().set("smallest", all.fewest.count).set("largest", all.most.count).set("nodes", nodes));
  if (all.refinement_steps > 0) facts.set("refinement_steps", all.refinement_steps);
  return facts;
}

Facts released_facts(const Options& options, double messages_per_node) {
  return Facts()
      .set("partition", to_string(options.partition))
      .set("feature_map", to_string(options.features))
      .set("messages_per_node", messages_per_node);
}

std::vector<Facts> window_facts(const NodeFindings& node, const std::optional<Quality>& quality) {
  const auto j = static_cast<std::size_t>(node.node);
  std::vector<double> error;
  if (quality && j < quality->error_after.size()) error = quality->error_after[j];
  const auto line = [&](std::size_t window) { return Facts().set("node", node.node).set("window", window); };
  std::vector<Facts> lines;
  if (!error.empty()) lines.push_back(line(0).set("sent", 0).set("error", error[0]));
  for (std::size_t i = 0; i < node.changes.size(); ++i) {
    lines.push_back(
        line(i + 1).set("sent", node.sent_by[i]).set("change", node.changes[i]).set("gap", node.gaps[i]));
    if (i + 1 < error.size()) lines.back().set("error", error[i + 1]);
  }
  return lines;
}

std::map<std::string, double> numbers_of(const Quality& quality, Division division) {
  std::map<std::string, double> numbers{{"error_relative", quality.error_relative},
                                        {"excess_error", quality.excess_error},
                                        {"subspace_cosine_min", quality.subspace_cosine_min}};
  if (division == Division::samples) numbers["mean_error"] = quality.mean_error;
  return numbers;
}

}  // namespace choir::gossip_pca
