#include "choir/learn/federated_kmeans/facts.h"

namespace choir::federated_kmeans {
namespace {

Facts facts_of(const Traffic& traffic) {
  return Facts().set("messages", traffic.messages).set("bytes", traffic.bytes);
}

// One for each number of clusters that was tried.
std::vector<Facts> tried_facts(const Findings& all) {
  std::vector<Facts> facts;
  for (const TriedClusters& tried : all.tried) {
    facts.push_back(Facts()
                        .set("clusters", tried.clusters)
                        .set("silhouette", tried.silhouette)
                        .set("inertia", tried.inertia));
  }
  return facts;
}

}  // namespace

Facts released_facts(const Findings& all, const Options& options) {
  return Facts()
      .set("embedding", to_string(options.embedding))
      .set("coordination", to_string(options.coordination))
      .set("masked", uses_masks(options))
      .set("clusters", all.cluster_sizes.size())
      .set("dimension", all.dimension)
      .set("cluster_sizes", all.cluster_sizes)
      .set("sums", all.rounds.size());
}

Facts facts_of(const Findings& all, const Options& options) {
  Facts facts = released_facts(all, options);
  facts.set("silhouette", all.silhouette)
      .set("eigen_route", to_string(all.route))
      .set("eigen_route_words", all.route_words)
      .set("inertia", all.inertia)
      .set("most_silent", all.most_silent)
      .set("most_refused", all.most_refused);
  if (all.kept) {
    facts.set("rank", all.kept->rank)
        .set("kept_of_kernel", all.kept->of_kernel)
        .set("kept_of_features", all.kept->of_features);
  }
  if (!options.n_clusters) facts.set("tried", tried_facts(all));
  return facts;
}

std::vector<Facts> round_facts(const Findings& all) {
  std::vector<Facts> facts;
  for (const Round& round : all.rounds) {
    facts.push_back(Facts()
                        .set("round", facts.size() + 1)
                        .set("what", round.what)
                        .set("answered", round.answered)
                        .set("silent", round.silent.size())
                        .set("refused", round.refused)
                        .set("samples", round.samples)
                        .set("attempts", round.attempts));
  }
  return facts;
}

Facts facts_of(const ServedTraffic& served) {
  Facts by_kind;
  for (const auto& [kind, traffic] : served.by_devices)
    by_kind.set(std::string(to_string(kind)), facts_of(traffic));
  return Facts().set("sent_by_devices", by_kind).set("sent_by_server", facts_of(served.by_server));
}

}  // namespace choir::federated_kmeans
