// How fast and how far methods get: E against messages a node.
//
//   const Curve curve = follow(network, yardstick, default_gossip(10), {.points = {5, 10, 20}});
//   curve.points.back().error;                                          // E after 20 messages a node
//
// E = mean over nodes of ||U_q L_q U_q'/w - C||_F^2 / ||C||_F^2, E* the best that q directions can do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "choir/experiment/experiment.h"
#include "choir/experiment/gossip_pca/methods.h"
#include "choir/experiment/gossip_pca/networks.h"
#include "choir/experiment/gossip_pca/trace.h"
#include "choir/experiment/measurements.h"

namespace choir {

struct GossipErrors {
  double error = 0;       // E: mean over nodes
  double mean_error = 0;  // largest ||mean - mu|| / ||mu|| of a node; 0 for coordinates
};

// Of the nodes that are there; of a hundred of them, evenly spaced, if they are more.
GossipErrors errors_of(const NodeSummaries& nodes, const gossip_pca::Yardstick& yardstick,
                       const GossipMethod& method, int threads);

struct CurvePoint {
  double messages = 0;
  GossipErrors errors;
};
struct Curve {
  std::vector<CurvePoint> points;
  gossip_pca::Fit fit;
};

struct FollowOptions {
  std::vector<double> points;  // messages a node
  Index ticks = 0;             // how often every node sends; 0: as often as the last point says
  SimOptions sim = swift_network();
  int threads = 1;
  Watch watch = {};  // may stop it
};
Curve follow(const GossipNetwork& network, const gossip_pca::Yardstick& yardstick, const GossipMethod& method,
             const FollowOptions& options);

// A run as the others: fit_gossip_pca on the simulator.
gossip_pca::Fit run_gossip(const GossipNetwork& network, const gossip_pca::Options& method,
                           const SimOptions& sim, const Watch& watch, std::vector<SampleFeed> feeds = {});

// Points for pictures: dense at first, then further apart, up to `most`.
std::vector<double> trace_points(double most);

// Quantities "E", "excess" ((E - E*) / E* where E* is not 0) and "error of the mean", over messages a node,
// for every method; E* itself as a series of "E".
struct ConvergencePlan {
  std::string stage;  // the experiment's id
  std::vector<double> points;
  std::vector<GossipMethod> methods;
  std::function<GossipNetwork(std::uint64_t seed)> network;
  SimOptions sim = swift_network();
};
Measurements compare_convergence(const ExperimentOptions& options, const ConvergencePlan& plan);

// "E*, q = 10"
std::string best_name(Index q);

// Of some series, logarithmic; E* is dashed and has marks at its ends alone.
LineChart error_chart(const Measurements& seen, const std::string& title, const std::string& quantity,
                      const std::vector<std::string>& names);
// For lines that lie on others.
void dash(LineChart& chart, const std::string& name);

}  // namespace choir
