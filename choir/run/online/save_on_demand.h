// Saves that somebody asks for while a run learns: the nodes of a process save after one and the same round,
// so that a run can continue from it.
//
//   SaveOnDemand demand(requests, SaveOnDemand::Nodes::together);
//   if (demand.is_due(node, round)) ...                      // every node, after every round
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "choir/base/types.h"

namespace choir {

class SaveOnDemand {
 public:
  enum class Nodes { together, alone };  // whether their rounds are one another's
  // `requests`: how many there have been so far; empty: nobody asks.
  SaveOnDemand(std::function<std::uint64_t()> requests, Nodes nodes)
      : requests_(std::move(requests)), nodes_(nodes) {}

  // Nodes may call it concurrently.
  bool is_due(NodeId node, std::uint64_t round);

 private:
  std::function<std::uint64_t()> requests_;
  Nodes nodes_;
  std::mutex mutex_;
  std::uint64_t newest_ = 0;                  // round that some node has done
  std::uint64_t due_ = 0;                     // round after which all save
  std::uint64_t seen_ = 0;                    // requests that led to it
  std::map<NodeId, std::uint64_t> answered_;  // requests, by nodes that save alone
};

}  // namespace choir
