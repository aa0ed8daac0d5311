// iFUB (Crescenzi, Grossi, Habib, Lanzi, Marino 2013): from a central root, eccentricities of the deepest
// levels first. Two nodes above level i are at most 2 (i - 1) apart, so the search ends early.
#include "choir/graph/diameter.h"

#include <algorithm>

#include "choir/graph/traversal.h"

namespace choir {
namespace {

// Searches from far ends; the node that is nearest to all of them so far is the next centre. As in the
// iterations for a smallest enclosing ball, a few rounds come close to the middle.
class CentreSearch {
 public:
  explicit CentreSearch(const Graph& graph)
      : search_(graph), farthest_(static_cast<std::size_t>(graph.nodes())) {}

  void add_end(NodeId end) {
    search_.run(end);
    lower_ = std::max(lower_, search_.eccentricity());
    for (std::size_t j = 0; j < farthest_.size(); ++j)
      farthest_[j] = std::max(farthest_[j], search_.depths()[j]);
  }
  NodeId centre() const {
    return static_cast<NodeId>(std::min_element(farthest_.begin(), farthest_.end()) - farthest_.begin());
  }
  NodeId far_end_from(NodeId node) {
    search_.run(node);
    return search_.order().back();
  }
  std::int32_t lower_bound() const { return lower_; }
  const BreadthFirstSearch& last() const { return search_; }

 private:
  BreadthFirstSearch search_;
  std::vector<std::int32_t> farthest_;
  std::int32_t lower_ = 0;
};

}  // namespace

Diameter diameter(const Graph& graph, const DiameterOptions& options) {
  require_connected(graph, "the diameter");
  constexpr int centre_rounds = 4;
  CentreSearch ends(graph);
  ends.add_end(ends.far_end_from(0));
  if (graph.edges() == graph.nodes() - 1) {  // a tree: one end of a longest path was found, so the other was
    return {.lower = ends.lower_bound(), .upper = ends.lower_bound(), .exact = true};
  }
  for (int round = 0; round < centre_rounds; ++round) ends.add_end(ends.far_end_from(ends.centre()));
  ends.far_end_from(ends.centre());

  const std::vector<NodeId> by_depth(ends.last().order().begin(), ends.last().order().end());
  const std::vector<std::int32_t> depth(ends.last().depths().begin(), ends.last().depths().end());
  const double steps_each = static_cast<double>(graph.nodes()) + 2 * static_cast<double>(graph.edges());
  double steps = 0;
  Index lower = std::max(ends.lower_bound(), ends.last().eccentricity());
  BreadthFirstSearch search(graph);
  for (auto node = by_depth.rbegin(); node != by_depth.rend(); ++node) {
    // Everything deeper has been searched from; what is left is at most this far apart.
    const Index upper = 2 * Index{depth[static_cast<std::size_t>(*node)]};
    if (lower >= upper) break;
    steps += steps_each;
    if (steps > options.max_steps) return {.lower = lower, .upper = upper, .exact = false};
    search.run(*node);
    lower = std::max<Index>(lower, search.eccentricity());
  }
  return {.lower = lower, .upper = lower, .exact = true};
}

}  // namespace choir
