// Sum-weight gossip: the mean of all nodes' values from random pairwise messages; nobody waits for anybody.
//
//   GossipOptions options;
//   options.messages = 40;
//   const Gossiped mine = co_await gossip_average(node, value, options);
//   mine.sum / mine.weight;                                    // the estimate of the mean
//
// Each node holds (sum, weight), at first (value, 1). At the ticks of its own Poisson clock it sends half of
// both to a random neighbour, which adds them. Sum and weight of the whole network are conserved as
// long as no message is lost; with acknowledged links also if messages are lost, doubled or overtaken: what
// is not acknowledged is sent again, and counted once. The estimate's error falls geometrically with the
// number of messages, more slowly if many are lost: shares that arrive late are old news.
//
// A node that has sent all its messages answers each share with one of its own, so that a node that is slow
// or joined late still hears of the others.
//
// How it ends: a node that has sent all its messages, and got all acknowledgements from a neighbour, tells
// that neighbour that it is done. A node leaves when all neighbours are done and know that it is; nobody then
// needs anything from it any more, so a message that is lost at the very end costs time but no mass.
//
// If the program ends with the gossip, a link that neither side used is left without a message: a node that
// would still draw the neighbour sees that it has ended. If the program continues (more_follows), no node can
// see that, and a node that drew such a neighbour would wait for it until it gave up. There every link is
// closed by messages, a "done" and its acknowledgement each way, and a node gives nothing more to a neighbour
// that it has told "done": that neighbour may leave. So all neighbours finish before a node continues.
//
// A neighbour that does not answer (crashed) is dropped from the draw and what it has not acknowledged is
// taken back. What the dead node held is gone. If it had added a message and died before acknowledging it,
// no other node counts that message: only then do the totals differ from the initial ones. A neighbour that
// is cut off or too busy to answer for longer than give_up_after looks the same. A neighbour that is heard
// again takes part again. It is told what is void, but what it had added before is counted twice: `came_back`
// names it. A node goes on a few times at most after something came back, and takes leave for a minute at
// most (12 times give_up_after), so every gossip ends. If more follows, a node that waits for a dead
// neighbour is late for its others, which may have moved on, and one of them may give it up just before.
//
// gossip() does the same with any value that can be shared out (gossip_value.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/gossip_value.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

enum class Recipients : std::uint8_t {
  one,  // a random neighbour gets half
  all,  // every neighbour and the node itself get equal shares
};

struct GossipOptions {
  Index messages = 40;  // ticks at which a node sends, counted from its last change; then it only answers
  Recipients to = Recipients::one;
  std::optional<NodeId> only_to = {};                      // this neighbour alone gets anything
  Duration mean_interval = std::chrono::milliseconds(10);  // between ticks
  bool acknowledged = true;
  bool more_follows = false;         // the program goes on afterwards, another gossip perhaps
  Kind kind = Kind::own_statistics;  // of what gossip_average sends
  Duration resend_after = std::chrono::milliseconds(50);
  Duration give_up_after = std::chrono::seconds(5);  // without an answer: the neighbour is gone
  // How long the last acknowledgements are waited for; without acknowledgements, how long a node that has
  // sent all its messages listens to silence before it leaves.
  Duration linger = std::chrono::seconds(1);
};

struct GossipCounts {
  std::uint64_t sent = 0;         // own messages with a share of the value
  std::uint64_t resent = 0;       // of any sort
  std::uint64_t duplicates = 0;   // received and not counted again
  std::vector<NodeId> given_up;   // neighbours that stopped answering at some time, ascending
  std::vector<NodeId> came_back;  // those of them that were heard again: what they had added may count twice
};

struct Gossiped : GossipCounts {
  Matrix sum;
  double weight = 1;
};

// The value must outlive the task. Throws Error(InvalidArgument) for durations that are not positive, a
// negative number of messages, or an only_to that is no neighbour.
Task<GossipCounts> gossip(Node& node, GossipValue& value, GossipOptions options);

Task<Gossiped> gossip_average(Node& node, Matrix value, GossipOptions options);

}  // namespace choir
