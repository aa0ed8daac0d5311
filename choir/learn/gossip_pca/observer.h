// What can be seen of a run from outside: every change of every node's summary, with what caused it. For
// experiments and tests; a real network has nobody who sees all nodes.
//
//   gossip_pca::Study study;
//   study.observe = [&](const gossip_pca::Event& event) { weight = event.summary.weight; };
#pragma once

#include "choir/base/deadline.h"
#include "choir/base/types.h"
#include "choir/learn/gossip_pca/summary.h"

namespace choir::gossip_pca {

struct Event {
  enum class What {
    start,      // the node has summarised its own samples
    give,       // `share` is on its way to somebody
    take,       // `share` has come from `from`
    take_back,  // `share` came back: nobody had taken it
    absorb,     // new samples came in, old ones may have been forgotten
  };
  What what = What::start;
  NodeId node = 0;
  NodeId from = 0;
  Time time{};
  const Summary& summary;          // after the change
  const Summary* share = nullptr;  // as it was given, taken or taken back
};

}  // namespace choir::gossip_pca
