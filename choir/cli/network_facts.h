// What a report draws of a network: every link with what went over it, or, where there are too many to draw,
// groups of nodes that lie together.
//
//   result.extra["network"] = network_facts(graph, report.ledger);
#pragma once

#include <nlohmann/json.hpp>

#include "choir/graph/graph.h"
#include "choir/runtime/ledger.h"

namespace choir::cli {

// More than these are drawn as groups.
inline constexpr Index most_drawn_nodes = 1000;
inline constexpr Index most_drawn_links = 8000;
inline constexpr Index drawn_groups = 150;

// {"nodes": J, "links": [[i, j, bytes i to j, bytes j to i], ...], "sent": [bytes of node 0, ...]}, or
// {"nodes": J, "groups": [{"nodes": n, "sent": bytes}, ...], "links": [[g, h, bytes, bytes],
// ...]}.
nlohmann::ordered_json network_facts(const Graph& graph, const Ledger& ledger);

// {"statistics": [bytes of node 0, ...], ...}, kinds that were sent.
nlohmann::ordered_json sent_by_kind(const Ledger& ledger);

}  // namespace choir::cli
