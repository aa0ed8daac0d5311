// Sum-weight gossip: the mean of all nodes' values from random pairwise messages; nobody waits for anybody.
//
//   GossipOptions options;
//   options.messages = 40;
//   const Gossiped mine = co_await gossip_average(node, value, options);
//   mine.sum / mine.weight                                     // the estimate of the mean
//
// Each node holds (sum, weight), at first (value, 1). At the ticks of its own Poisson clock it sends half of
// both to a random neighbour; whoever receives adds. Sum and weight of the whole network are conserved as
// long as no message is lost; with acknowledged links also if messages are lost, doubled or overtaken: what
// is not acknowledged is sent again, and counted once. A neighbour that never acknowledges (crashed) is
// dropped from the draw and what was sent to it is taken back.
#pragma once

#include <cstdint>

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct GossipOptions {
  Index messages = 40;  // a node sends so many of its own, then only answers
  Duration mean_interval = std::chrono::milliseconds(10);  // between ticks
  bool acknowledged = true;
  Duration resend_after = std::chrono::milliseconds(50);
  Duration give_up_after = std::chrono::seconds(5);  // without any acknowledgement: the neighbour is gone
  Duration linger = std::chrono::seconds(1);         // after the last own message, to receive and answer
};

struct Gossiped {
  Matrix sum;
  double weight = 1;
  // Sent and neither acknowledged nor taken back when the node ended: zero unless it ended in a hurry.
  Matrix unsettled_sum;
  double unsettled_weight = 0;
  std::uint64_t sent = 0;
  std::uint64_t resent = 0;
  std::uint64_t duplicates = 0;
};

Task<Gossiped> gossip_average(Node& node, Matrix value, GossipOptions options);

}  // namespace choir
