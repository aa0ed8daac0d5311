#include "choir/experiment/gossip_pca/trace.h"

#include <algorithm>
#include <utility>

namespace choir {
namespace {

constexpr double rounding = 1e-9;  // of sums of 1/N

}  // namespace

GossipTrace::GossipTrace(TraceOptions options)
    : options_(std::move(options)), nodes_(static_cast<std::size_t>(options_.nodes)) {}

std::function<void(const gossip_pca::Event&)> GossipTrace::observer() {
  return [this](const gossip_pca::Event& event) { see(event); };
}

void GossipTrace::bury(Time now) {
  for (const NodeTime& crash : options_.crashes) {
    if (Time(crash.at) <= now) nodes_[static_cast<std::size_t>(crash.node)].reset();
  }
}

Index GossipTrace::present() const {
  return std::count_if(nodes_.begin(), nodes_.end(), [](const auto& node) { return node.has_value(); });
}

void GossipTrace::see(const gossip_pca::Event& event) {
  bury(event.time);
  if (event.what == gossip_pca::Event::What::give) {
    const double after = messages_ + 1 / static_cast<double>(present());
    while (next_point_ < options_.points.size() && options_.points[next_point_] + rounding < after) {
      options_.look({.messages = options_.points[next_point_++], .time = event.time, .nodes = nodes_});
    }
    messages_ = after;
  }
  nodes_[static_cast<std::size_t>(event.node)] = event.summary;
  time_ = event.time;
}

void GossipTrace::finish() {
  while (next_point_ < options_.points.size()) {
    options_.look({.messages = options_.points[next_point_++], .time = time_, .nodes = nodes_});
  }
}

}  // namespace choir
