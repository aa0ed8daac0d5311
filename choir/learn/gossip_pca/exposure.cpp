#include "choir/learn/gossip_pca/exposure.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace choir::gossip_pca {
namespace {

constexpr std::size_t most_named = 10;

// Of samples one direction is their mean.
Index most_exposed(const Carried& carried) {
  const Index directions = std::min(carried.carry, carried.dimension);
  return carried.partition == Division::samples ? directions + 1 : directions;
}

std::string names_of(const std::vector<NodeId>& nodes) {
  const std::size_t named = std::min(nodes.size(), most_named);
  const std::vector<NodeId> first(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(named));
  const std::string more = nodes.size() > named ? fmt::format(" and {} more", nodes.size() - named) : "";
  return fmt::format("node{} {}{}", nodes.size() == 1 ? "" : "s", fmt::join(first, ", "), more);
}

}  // namespace

std::vector<NodeId> exposed_nodes(const std::vector<Index>& sizes, const Carried& carried) {
  std::vector<NodeId> exposed;
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    if (sizes[node] > 0 && sizes[node] <= most_exposed(carried)) exposed.push_back(static_cast<NodeId>(node));
  }
  return exposed;
}

std::string exposure_words(const std::vector<Index>& sizes, const Carried& carried) {
  const std::vector<NodeId> exposed = exposed_nodes(sizes, carried);
  if (exposed.empty()) return "";
  const char* what = carried.partition == Division::samples ? "samples" : "columns";
  return fmt::format(
      "{} ha{} so few {} that a summary carries all there is to know of them: a neighbour that receives the "
      "first one "
      "knows these {} but for a rotation, and {} exactly; {} {} at each node, or a smaller --carry, avoid "
      "that",
      names_of(exposed), exposed.size() == 1 ? "s" : "ve", what, what,
      carried.partition == Division::samples ? "two" : "a single one", most_exposed(carried) + 1, what);
}

}  // namespace choir::gossip_pca
