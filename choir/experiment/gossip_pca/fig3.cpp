// Figure 3 of the paper: fewer directions than the covariance has, q < p.
#include <fmt/format.h>

#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/gossip_pca/gaussian_figures.h"

namespace choir {
namespace {

GossipMethod named(GossipMethod method, const std::string& more = "") {
  method.name = fmt::format("{}, q = {}{}", method.name, method.read, more);
  return method;
}

// What each of the two differences is worth: the mean, which costs the printed method a direction, and the
// directions that the default carries beyond q.
std::vector<GossipMethod> variants(Index q) {
  GossipMethod with_mean = named(printed_gossip(q), ", one more carried");
  with_mean.options.carry = q + 1;
  GossipMethod tight = named(default_gossip(q), ", none more carried");
  tight.options.carry = q;
  return {with_mean, tight};
}

}  // namespace

ExperimentResult gossip_pca_fig3(const ExperimentOptions& options) {
  const std::vector<Index> counts = options.quick ? std::vector<Index>{2, 4} : std::vector<Index>{10, 5, 20};
  std::vector<GossipMethod> methods;
  for (const Index q : counts) {
    methods.push_back(named(default_gossip(q)));
    methods.push_back(named(printed_gossip(q)));
  }
  std::vector<std::string> shown = names_of(methods);
  for (const Index q : counts) shown.push_back(best_name(q));
  const std::vector<GossipMethod> more = variants(counts.front());
  methods.insert(methods.begin() + 2, more.begin(), more.end());
  std::vector<std::string> compared = names_of(methods);
  compared.resize(2 + more.size());  // of the first q
  const Measurements seen = compare_on_gaussian(options, "gossip-pca/fig3", methods);
  LineChart excess =
      error_chart(seen, fmt::format("gossip-pca/fig3: q = {}", counts.front()), "excess", compared);
  dash(excess, more.front().name);
  return {.table = seen.table(),
          .summaries = {seen.summary("E"), seen.summary("excess")},
          .pictures = {{"", error_chart(seen, "gossip-pca/fig3: q < p", "E", shown)}, {"excess", excess}},
          .notes = {note_about_the_mean(), "excess is (E - E*) / E*, E* the best that q directions can do"}};
}

}  // namespace choir
