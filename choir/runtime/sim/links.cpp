#include "choir/runtime/sim/links.h"

#include <algorithm>
#include <cmath>

namespace choir {
namespace {

constexpr Purpose link_purpose("sim-link");

bool inside(const PartitionFault& partition, NodeId node) {
  return node >= partition.first && node <= partition.last;
}

}  // namespace

SimLinks::SimLinks(const Graph& graph, const SimOptions& options, Links mode, std::uint64_t seed)
    : graph_(graph),
      options_(options),
      mode_(mode),
      seed_(seed),
      random_(options.loss > 0 || options.duplicate > 0 || !options.latency.constant() ||
              !options.links.empty()),
      latencies_{options.latency},
      states_(static_cast<std::size_t>(graph.offset(static_cast<NodeId>(graph.nodes())))) {
  const LinkTable table(graph);
  for (const LinkLatency& exception : options.links) {
    const auto index = static_cast<std::uint32_t>(latencies_.size());
    latencies_.push_back(exception.latency);
    state(table.link_between(exception.a, exception.b)).latency = index;
    state(table.link_between(exception.b, exception.a)).latency = index;
  }
}

Time SimLinks::healed(const Link& link, Time departure) const {
  Time free = departure;
  bool moved = true;
  while (moved) {  // partitions may overlap
    moved = false;
    for (const PartitionFault& partition : options_.partitions) {
      if (inside(partition, link.from) == inside(partition, link.to)) continue;
      if (free >= Time(partition.from) && free < Time(partition.to)) {
        free = Time(partition.to);
        moved = true;
      }
    }
  }
  return free;
}

Duration SimLinks::draw_latency(const State& link, Rng& rng) const {
  const Latency& latency = latencies_[link.latency];
  if (latency.constant()) return latency.low;
  const double span = static_cast<double>((latency.high - latency.low).count());
  const double share = latency.shape == Latency::Shape::uniform ? rng.uniform() : -std::log1p(-rng.uniform());
  return latency.low + Duration(static_cast<Duration::rep>(share * span));
}

Duration SimLinks::resend_after(const State& link) const {
  return std::max<Duration>(2 * latencies_[link.latency].high, std::chrono::microseconds(1));
}

Time SimLinks::in_order(State& link, Time arrival) {
  link.last_arrival = std::max(link.last_arrival, arrival);
  return link.last_arrival;
}

Arrival SimLinks::send(const Link& link, Time departure, Links mode) {
  State& state = this->state(link);
  const std::uint32_t number = state.sent++;
  const Time whole = healed(link, departure);
  if (!random_ && (whole == departure || mode == Links::reliable)) {
    return {.first = in_order(state, whole + latencies_[state.latency].low), .second = {}};
  }
  if (mode == Links::raw && whole != departure) return {};

  const auto index = static_cast<std::uint64_t>(graph_.offset(link.from) + link.position_at_sender);
  Rng rng(seed_, link_purpose, index, number);
  if (mode == Links::reliable) {
    Time leaves = whole;
    std::uint32_t sent_again = 0;
    for (; rng.uniform() < options_.loss; ++sent_again) leaves = healed(link, leaves + resend_after(state));
    const Time arrival = in_order(state, leaves + draw_latency(state, rng));
    return {.first = arrival, .second = {}, .sent_again = sent_again};
  }
  if (rng.uniform() < options_.loss) return {};
  const bool twice = rng.uniform() < options_.duplicate;
  const auto arrive = [&] {
    const Time arrival = departure + draw_latency(state, rng);
    const Time behind_others = in_order(state, arrival);  // noted in any case: a goodbye overtakes nothing
    return options_.reorder ? arrival : behind_others;
  };
  Arrival result{.first = arrive(), .second = {}};
  if (twice) result.second = arrive();
  return result;
}

Time SimLinks::send_reliably(const Link& link, Time departure) {
  State& state = this->state(link);
  return in_order(state, healed(link, departure) + latencies_[state.latency].high);
}

}  // namespace choir
