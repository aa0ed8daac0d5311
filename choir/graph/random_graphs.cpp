#include "choir/graph/random_graphs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/graph/traversal.h"

namespace choir {
namespace {

using Draw = std::function<Graph(std::uint64_t round)>;

// The first connected draw; `advice` finishes the error's sentence.
Graph draw_until_connected(const Draw& draw, const std::string& spec, Index nodes,
                           const std::string& advice) {
  Index fewest_parts = nodes;
  int draws = 0;
  while (draws < max_draws) {
    Graph graph = draw(static_cast<std::uint64_t>(draws++));
    const Components parts = components(graph);
    if (parts.connected()) return graph;
    fewest_parts = std::min(fewest_parts, static_cast<Index>(parts.sizes.size()));
    if (parts.sizes.size() > hopeless_parts) break;
  }
  fail(ErrorCategory::InvalidArgument,
       "{} on {} nodes is not connected ({} drawn, {} parts or more each); try {}", spec, nodes, draws,
       fewest_parts, advice);
}

// How many pairs are passed over before the next link. By inversion, with products of stored powers
// instead of a logarithm, whose last bit differs between platforms.
class SkipLengths {
 public:
  // Lengths above `most` are cut to more than `most`.
  SkipLengths(double probability, Index most) {
    double power = 1 - probability;
    for (Index length = 1; length <= most; length *= 2) {
      powers_.push_back({length, power});
      power *= power;
    }
  }

  // The largest k with (1-p)^k > u, so that k >= n has probability (1-p)^n.
  Index draw(Rng& rng) const {
    const double u = rng.uniform();
    double product = 1;
    Index skip = 0;
    for (auto entry = powers_.rbegin(); entry != powers_.rend(); ++entry) {
      if (product * entry->power > u) {
        product *= entry->power;
        skip += entry->length;
      }
    }
    return skip;
  }

 private:
  struct Power {
    Index length;
    double power;
  };
  std::vector<Power> powers_;
};

Graph draw_erdos(Index nodes, const SkipLengths& skips, Rng rng) {
  std::vector<Edge> edges;
  // Pairs (a, b), b < a, in a row: b runs past the end of its row into the next ones.
  Index a = 1;
  Index b = -1;
  while (true) {
    b += 1 + skips.draw(rng);
    while (a < nodes && b >= a) b -= a++;
    if (a >= nodes) return Graph::from_edges(nodes, edges);
    edges.push_back({static_cast<NodeId>(b), static_cast<NodeId>(a)});
  }
}

struct Point {
  double x;
  double y;
};

// The unit square in cells no smaller than the radius: a node's neighbours lie in its cell or one beside it.
class CellGrid {
 public:
  CellGrid(std::vector<Point> points, double radius) : points_(std::move(points)) {
    // A hair wider than the radius, so that rounding cannot push a neighbour two cells away.
    const double widest_side = (1 - 1e-12) / radius;
    const double useful_side = std::sqrt(static_cast<double>(points_.size()));
    side_ = std::max<Index>(1, static_cast<Index>(std::min(widest_side, useful_side)));
    starts_.assign(static_cast<std::size_t>(side_ * side_) + 1, 0);
    for (const Point& point : points_) ++starts_[static_cast<std::size_t>(cell_of(point)) + 1];
    for (std::size_t cell = 1; cell < starts_.size(); ++cell) starts_[cell] += starts_[cell - 1];
    members_.resize(points_.size());
    std::vector<Index> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t node = 0; node < points_.size(); ++node) {
      auto& place = next[static_cast<std::size_t>(cell_of(points_[node]))];
      members_[static_cast<std::size_t>(place++)] = static_cast<NodeId>(node);
    }
  }

  std::vector<Edge> links_within(double radius) const {
    std::vector<Edge> edges;
    for (NodeId node = 0; node < static_cast<NodeId>(points_.size()); ++node) {
      const Point& at = points_[static_cast<std::size_t>(node)];
      for_each_near(at, [&](NodeId other) {
        const Point& there = points_[static_cast<std::size_t>(other)];
        const double dx = at.x - there.x;
        const double dy = at.y - there.y;
        if (node < other && dx * dx + dy * dy <= radius * radius) edges.push_back({node, other});
      });
    }
    return edges;
  }

 private:
  Index line_of(double coordinate) const {
    return std::min(side_ - 1, static_cast<Index>(coordinate * static_cast<double>(side_)));
  }
  Index cell_of(const Point& point) const { return line_of(point.y) * side_ + line_of(point.x); }

  template <class Visit>
  void for_each_near(const Point& point, const Visit& visit) const {
    const Index column = line_of(point.x);
    const Index row = line_of(point.y);
    for (Index r = std::max<Index>(0, row - 1); r <= std::min(side_ - 1, row + 1); ++r) {
      // The cells of a row lie one after the other, and so do their members.
      const Index first = r * side_ + std::max<Index>(0, column - 1);
      const Index last = r * side_ + std::min(side_ - 1, column + 1);
      for (Index i = starts_[static_cast<std::size_t>(first)];
           i < starts_[static_cast<std::size_t>(last) + 1]; ++i) {
        visit(members_[static_cast<std::size_t>(i)]);
      }
    }
  }

  std::vector<Point> points_;
  Index side_ = 1;
  std::vector<Index> starts_;    // side^2 + 1
  std::vector<NodeId> members_;  // by cell
};

Graph draw_geometric(Index nodes, double radius, Rng rng) {
  std::vector<Point> points(static_cast<std::size_t>(nodes));
  for (Point& point : points) {
    point.x = rng.uniform();
    point.y = rng.uniform();
  }
  return Graph::from_edges(nodes, CellGrid(std::move(points), radius).links_within(radius));
}

// Two significant digits, upwards: a number to type.
double round_up(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::ceil(value / unit) * unit;
}

}  // namespace

double connecting_probability(Index nodes) {
  // Nodes without a link are what breaks a dense draw; e^-4 of them are expected here.
  const auto count = static_cast<double>(std::max<Index>(2, nodes));
  return std::min(1.0, round_up((std::log(count) + 4) / count));
}

double connecting_radius(Index nodes) {
  // The limit is pi r^2 J = log J; a margin of two covers the border, whose nodes have half a disc.
  const auto count = static_cast<double>(std::max<Index>(2, nodes));
  return std::min(1.5, round_up(std::sqrt(2 * (std::log(count) + 2) / (std::numbers::pi * count))));
}

Graph erdos_graph(Index nodes, double probability, std::uint64_t seed) {
  require_node_count(nodes);
  if (!(probability > 0 && probability <= 1)) {
    fail(ErrorCategory::InvalidArgument,
         "erdos:{} is not possible: the probability of a link must be above 0 and at most 1", probability);
  }
  const auto count = static_cast<double>(nodes);
  require_graph_memory("an Erdos-Renyi graph", count, probability * count * (count - 1) / 2);
  const SkipLengths skips(probability, nodes * (nodes - 1) / 2);
  const auto draw = [&](std::uint64_t round) {
    return draw_erdos(nodes, skips, Rng(seed, Purpose("topology/erdos"), 0, round));
  };
  return draw_until_connected(draw, fmt::format("erdos:{}", probability), nodes,
                              fmt::format("erdos:{} or another seed", connecting_probability(nodes)));
}

Graph barabasi_graph(Index nodes, Index attachments, std::uint64_t seed) {
  require_node_count(nodes);
  if (attachments < 1 || attachments >= nodes) {
    fail(ErrorCategory::InvalidArgument,
         "barabasi:{} is not possible on {} nodes: a new node is linked to at least 1 and at most {} older "
         "ones",
         attachments, nodes, nodes - 1);
  }
  const double count = static_cast<double>(nodes) * static_cast<double>(attachments);
  require_graph_memory("a Barabasi-Albert graph", static_cast<double>(nodes), count);
  Rng rng(seed, Purpose("topology/barabasi"));
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(attachments * (nodes - attachments)));
  for (NodeId leaf = 1; leaf <= attachments; ++leaf) edges.push_back({0, leaf});

  std::vector<NodeId> chosen;
  std::vector<NodeId> chosen_by(static_cast<std::size_t>(nodes), 0);  // the last node that chose this one
  for (auto node = static_cast<NodeId>(attachments + 1); node < nodes; ++node) {
    // A node stands in the list of all ends as often as it has links: an even draw from that list prefers
    // nodes in proportion to their degree.
    chosen.clear();
    const std::uint64_t ends = 2 * edges.size();
    while (static_cast<Index>(chosen.size()) < attachments) {
      const std::uint64_t end = rng.below(ends);
      const Edge& edge = edges[end / 2];
      const NodeId older = end % 2 == 0 ? edge.a : edge.b;
      if (std::exchange(chosen_by[static_cast<std::size_t>(older)], node) != node) chosen.push_back(older);
    }
    for (const NodeId older : chosen) edges.push_back({older, node});
  }
  return Graph::from_edges(nodes, edges);
}

Graph geometric_graph(Index nodes, double radius, std::uint64_t seed) {
  require_node_count(nodes);
  if (!(radius > 0)) {
    fail(ErrorCategory::InvalidArgument, "geometric:{} is not possible: the radius must be above 0", radius);
  }
  const auto count = static_cast<double>(nodes);
  const double density = std::min(1.0, std::numbers::pi * radius * radius);
  require_graph_memory("a geometric graph", count, density * count * (count - 1) / 2);
  const auto draw = [&](std::uint64_t round) {
    return draw_geometric(nodes, radius, Rng(seed, Purpose("topology/geometric"), 0, round));
  };
  return draw_until_connected(draw, fmt::format("geometric:{}", radius), nodes,
                              fmt::format("geometric:{} or another seed", connecting_radius(nodes)));
}

}  // namespace choir
