// What a method promises to the engine that runs it, and what the caller wants of a run.
//
//   const Contract contract{.method = "average", .kinds = {Kind::own_statistics}};
//   const RunOptions options{.seed = 1, .deadline = std::chrono::seconds(10)};
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "choir/base/choices.h"
#include "choir/base/deadline.h"
#include "choir/base/progress.h"
#include "choir/base/types.h"
#include "choir/runtime/kind.h"

namespace choir {

// What a method expects of the network. Threads and MPI are always reliable; the simulator gives what is
// asked.
enum class Links : std::uint8_t {
  reliable,  // every message arrives, once, in order; faults only delay it
  raw,       // messages may be lost, doubled and overtaken; the method copes by itself
};

struct Contract {
  std::string method;  // as people call it; begins sentences
  KindSet kinds;       // what its nodes may send; anything else is an error at once
  Links links = Links::reliable;
  // Bytes that node j holds from some time on until it ends, the messages it keeps included. Empty: nothing
  // worth planning.
  std::function<std::uint64_t(NodeId)> memory = {};
  // Bytes that it needs in addition while it computes and gives back before it waits: only as many nodes need
  // them at once as the engine runs.
  std::function<std::uint64_t(NodeId)> scratch = {};
};

// What a synchronous round does about a neighbour that ended, crashed or missed its deadline.
enum class LostPeers : std::uint8_t {
  fail,     // the run ends with Error(PeerLost)
  proceed,  // the neighbour is dropped for good, by both sides, and the report says so
};

inline constexpr auto lost_peers_names = words_in_order<LostPeers::proceed>("fail", "continue");
inline ChoiceNames<LostPeers> choice_names(LostPeers) { return lost_peers_names; }

class Message;

// What is said once for a whole run, whatever is computed: seed, threads, patience, and who watches.
struct RunOptions {
  std::uint64_t seed = 0;
  int threads = 0;  // that nodes of this process, or one computation, may use; 0: all cores
  Duration deadline = std::chrono::seconds(60);  // what Node::deadline() adds to now
  LostPeers lost_peers = LostPeers::fail;
  Watch watch = {};
  // Sees every message that leaves a node of this process, as the ledger counts it and before it goes. May be
  // called from several threads at a time.
  std::function<void(NodeId from, NodeId to, const Message& message)> audit = {};
};

}  // namespace choir
