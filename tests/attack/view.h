// What nodes that are curious, or in league, see of a run: every message that one of them is sent, as it
// would cross a wire. What they send is theirs anyway; what they tell each other is kept, too.
//
//   View view({2});
//   run_nodes<double>(engine, graph, contract, view.of({.seed = 1}), program);
//   for (const Sight& sight : view.sights(Kind::own_statistics)) attack(sight.from, sight.message);
//   EXPECT_EQ(recovered(shards[3], guesses, 1e-6), 0);
#pragma once

#include <mutex>
#include <set>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/message.h"

namespace choir::testing_attack {

struct Sight {
  NodeId from = 0;
  NodeId to = 0;
  Message message;
};

class View {
 public:
  explicit View(std::set<NodeId> curious) : curious_(std::move(curious)) {}
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  // The same run, watched. The view must outlive it.
  RunOptions of(RunOptions run = {});

  // In the order in which they were sent; per sender the same on every engine.
  const std::vector<Sight>& sights() const { return sights_; }
  std::vector<Sight> sights(Kind kind) const;
  std::vector<Sight> sights(Kind kind, NodeId from) const;

 private:
  void see(NodeId from, NodeId to, const Message& message);

  std::set<NodeId> curious_;
  std::mutex mutex_;
  std::vector<Sight> sights_;
};

// How many of the true samples have a guess so close that their largest difference is below `tolerance`. One
// sample per column.
Index recovered(const Samples& truth, const Samples& guesses, double tolerance);

}  // namespace choir::testing_attack
