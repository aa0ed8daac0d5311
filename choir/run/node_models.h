// The models of a fit, for a result: each is made when it is written.
//
//   add_models(fit, context.result, [](const auto& node) { return file_of(node); });
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "choir/run/result.h"
#include "choir/run/shards.h"

namespace choir {

// Of every node of this process that has a result. make() is given the result, or, where results do not say
// whose they are, the node and its result.
template <class Fit, class Make>
void add_models(const std::shared_ptr<const Fit>& fit, Result& result, const Make& make) {
  for (std::size_t place = 0; place < fit->nodes.size(); ++place) {
    if (!fit->nodes[place]) continue;
    const auto node = static_cast<NodeId>(place);
    result.models.push_back({node, [fit, node, make] {
                               if constexpr (std::is_invocable_v<Make, decltype(fit->at(node))>) {
                                 return make(fit->at(node));
                               } else {
                                 return make(node, fit->at(node));
                               }
                             }});
  }
}

// The model that all nodes have alike: one file for those of this process, which is called after its first
// node.
template <class Fit, class Make>
void add_common_model(const std::shared_ptr<const Fit>& fit, NodeId first, Result& result, const Make& make) {
  std::vector<NodeId> holders;
  for (std::size_t place = 0; place < fit->nodes.size(); ++place) {
    if (fit->nodes[place]) holders.push_back(static_cast<NodeId>(place));
  }
  if (holders.empty()) return;
  const NodeId any = holders.front();
  result.models.push_back({first, [fit, any, make] { return make(fit->at(any)); }, std::move(holders)});
}

// Parts of models: make() is given a result, and which columns of the whole data are the node's own.
template <class Fit, class Make>
void add_part_models(const std::shared_ptr<const Fit>& fit, const RunData& data, Result& result,
                     const Make& make) {
  for (const auto& node : fit->nodes) {
    if (!node) continue;
    result.models.push_back({node->node, [fit, &node, make, columns = data.columns_of(node->node)] {
                               return make(*node, columns);
                             }});
  }
}

}  // namespace choir
