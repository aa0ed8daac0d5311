// Samples that keep coming to every node while the subspace they vary in turns.
//
//   const TurningStream stream({.nodes = 50, .batches = 300}, seed);
//   stream.feed(node);                                        // a batch an interval
//   stream.directions(time);                                  // D x q, at that time
#pragma once

#include <cstdint>

#include "choir/learn/gossip_pca/feed.h"

namespace choir {

struct StreamSpec {
  Index nodes = 50;
  Index features = 50;  // D
  Index components = 3;
  Index batches = 300;  // at a node, one an interval
  Index batch = 5;      // samples
  Duration interval = std::chrono::milliseconds(10);
  double turn = 1.5707963267948966;  // radians in all
};

class TurningStream {
 public:
  TurningStream(const StreamSpec& spec, std::uint64_t seed);

  // Orthonormal: direction d goes from axis d to axis q + d.
  Matrix directions(Duration time) const;
  Samples batch(NodeId node, Index number) const;  // what came after `number` intervals; 0: at the start
  gossip_pca::SampleFeed feed(NodeId node) const;  // the stream must outlive it

 private:
  StreamSpec spec_;
  std::uint64_t seed_;
};

}  // namespace choir
