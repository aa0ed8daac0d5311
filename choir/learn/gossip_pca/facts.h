// What a run of gossip-pca found, by name: the method's own keys of result.json, and lines of metrics.jsonl.
//
//   result.facts.add(facts_of(all, options, nodes, messages_per_node));
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "choir/base/facts.h"
#include "choir/learn/gossip_pca/findings.h"

namespace choir::gossip_pca {

Facts facts_of(const Findings& all, const Options& options, Index nodes, double messages_per_node);

// Of a run under differential privacy, nothing that samples show in.
Facts released_facts(const Options& options, double messages_per_node);

// {"node": 3, "window": 1, "sent": 12, "change": 0.2, "gap": 0.1}: one line per window, with its "error"
// beyond that of the best answer, and a line for the start, if that is known.
std::vector<Facts> window_facts(const NodeFindings& node, const std::optional<Quality>& quality);

// One of each for the whole network. Coordinates have no mean.
std::map<std::string, double> numbers_of(const Quality& quality, Division division);

}  // namespace choir::gossip_pca
