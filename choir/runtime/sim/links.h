// What the simulated network does to a message: when it arrives, how often, or never.
//
// Every decision is drawn from (seed, link, number of the message on that link), so it does not depend on
// what happens elsewhere in the network.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "choir/base/rng.h"
#include "choir/graph/graph.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/host.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir {

struct Arrival {
  std::optional<Time> first;     // nothing: lost
  std::optional<Time> second;    // a copy
  std::uint32_t sent_again = 0;  // times that a reliable link lost it before
};

class SimLinks {
 public:
  SimLinks(const Graph& graph, const SimOptions& options, Links mode, std::uint64_t seed);

  // Of a message that leaves now, on links of the mode that the method declared, or of another one.
  Arrival send(const Link& link, Time departure) { return send(link, departure, mode_); }
  Arrival send(const Link& link, Time departure, Links mode);
  // Of a goodbye: never lost, behind everything sent before it.
  Time send_reliably(const Link& link, Time departure);
  // No partition is between the two.
  bool is_whole(const Link& link, Time now) const { return healed(link, now) == now; }

 private:
  struct State {
    Time last_arrival{};
    std::uint32_t sent = 0;
    std::uint32_t latency = 0;  // which of latencies_
  };
  State& state(const Link& link) {
    return states_[static_cast<std::size_t>(graph_.offset(link.from) + link.position_at_sender)];
  }
  Time in_order(State& link, Time arrival);
  Duration draw_latency(const State& link, Rng& rng) const;
  Duration resend_after(const State& link) const;
  // When the link is next whole; the departure itself if it is.
  Time healed(const Link& link, Time departure) const;

  const Graph& graph_;
  const SimOptions& options_;
  Links mode_;
  std::uint64_t seed_;
  bool random_;  // anything to draw at all?
  std::vector<Latency> latencies_;
  std::vector<State> states_;  // beside the graph's lists
};

}  // namespace choir
