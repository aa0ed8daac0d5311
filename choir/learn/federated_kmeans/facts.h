// What a run of federated-kmeans found, by name: the method's own keys of result.json, and lines of
// metrics.jsonl.
//
//   result.facts.add(facts_of(all, options));
#pragma once

#include <vector>

#include "choir/base/facts.h"
#include "choir/learn/federated_kmeans/findings.h"

namespace choir::federated_kmeans {

Facts facts_of(const Findings& all, const Options& options);

// Of a run under differential privacy, nothing that samples show in.
Facts released_facts(const Findings& all, const Options& options);

// One for each sum, in their order.
std::vector<Facts> round_facts(const Findings& all);

Facts facts_of(const ServedTraffic& served);

}  // namespace choir::federated_kmeans
