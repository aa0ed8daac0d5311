// A tenth of the nodes crashes: what their samples had told the others by then stays.
#include "choir/experiment/gossip_pca/departures.h"
#include "choir/experiment/gossip_pca/experiments.h"

namespace choir {
namespace {

std::vector<Departure> departures_of(const ExperimentOptions& options) {
  const Index nodes = departure_nodes(options);
  Departure undisturbed{"no crash", departure_method(), swift_network()};
  // A neighbour is given up after 5 s of silence, so 5 messages here.
  undisturbed.method.options.interval = std::chrono::seconds(1);
  Departure early = undisturbed;
  early.name = "crash after 2 messages";
  early.sim.crashes = last_tenth(nodes, std::chrono::seconds(2));
  Departure late = undisturbed;
  late.name = "crash after 15 messages";
  late.sim.crashes = last_tenth(nodes, std::chrono::seconds(15));
  return {undisturbed, early, late};
}

}  // namespace

ExperimentResult gossip_pca_crash(const ExperimentOptions& options) {
  const std::vector<Departure> departures = departures_of(options);
  const Measurements seen =
      measure_departures(options, "gossip-pca/crash", departures, options.quick ? 30 : 80);
  return {.table = seen.table(),
          .summaries = {seen.summary(against_all), seen.summary(against_rest)},
          .pictures = {{"", departure_chart(seen, "gossip-pca/crash: survivors' E", against_all, departures)},
                       {"survivors",
                        departure_chart(seen, "gossip-pca/crash: survivors' E", against_rest, departures)}},
          .notes = {
              "nodes are sorted by digit, and the last tenth, which crashes, has nearly all images of a 9; "
              "what is measured are the survivors",
              "a message a second: a neighbour is given up after 5 s without an answer, and what it has not "
              "acknowledged is taken back"}};
}

}  // namespace choir
