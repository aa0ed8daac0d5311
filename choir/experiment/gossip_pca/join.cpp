// A tenth of the nodes joins late.
#include "choir/experiment/gossip_pca/departures.h"
#include "choir/experiment/gossip_pca/experiments.h"

namespace choir {

ExperimentResult gossip_pca_join(const ExperimentOptions& options) {
  const Index nodes = departure_nodes(options);
  const Departure together{"all from the start", departure_method(), swift_network()};
  Departure late = together;
  late.name = "a tenth joins after 20 messages";
  late.sim.joins = last_tenth(nodes, 20 * late.method.options.interval);
  const std::vector<Departure> departures = {together, late};
  const Measurements seen =
      measure_departures(options, "gossip-pca/join", departures, options.quick ? 50 : 120);
  return {.table = seen.table(),
          .summaries = {seen.summary(against_all), seen.summary(against_rest)},
          .pictures = {{"", departure_chart(seen, "gossip-pca/join: E of the nodes there are", against_all,
                                            departures)}},
          .notes = {"nodes are sorted by digit, and the last tenth, which joins late, has nearly all images "
                    "of a 9; what is measured are the nodes that are there"}};
}

}  // namespace choir
