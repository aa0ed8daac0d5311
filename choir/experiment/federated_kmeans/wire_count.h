// Numbers that pass between a server and its devices for eigenvectors, counted on the wire.
//
//   WireCount wire(server);
//   run.audit = [&](NodeId from, NodeId, const Message& message) { wire.see(from, message); };
//   wire.for_sums();
#pragma once

#include "choir/base/types.h"
#include "choir/runtime/message.h"

namespace choir {

// For engines that run one node at a time: an answer belongs to the last question.
class WireCount {
 public:
  explicit WireCount(NodeId server) : server_(server) {}

  void see(NodeId from, const Message& message);

  double for_sums() const { return for_sums_; }  // products and their vectors, triangles of Gram matrices
  double for_maps() const { return for_maps_; }  // told to devices: how to go on from the eigenvectors

 private:
  NodeId server_;
  bool about_eigenvectors_ = false;  // the last question
  double for_sums_ = 0;
  double for_maps_ = 0;
};

}  // namespace choir
