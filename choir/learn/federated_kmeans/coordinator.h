// Who asks the devices: a server, or all of them together. The program (node_program.cpp) is the same.
//
//   const Total total = co_await devices.sum(question, shape);          // over all devices that answered
//   devices.tell(statement);
#pragma once

#include <memory>

#include "choir/learn/federated_kmeans/options.h"
#include "choir/learn/federated_kmeans/worker.h"
#include "choir/learn/federation/federation.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::federated_kmeans {

class Coordinator {
 public:
  virtual ~Coordinator() = default;

  virtual Task<void> open() = 0;
  virtual Task<Total> sum(Message question, AnswerShape shape) = 0;
  // Everything that devices published, points of that length.
  virtual Task<CountedCentroids> collect(Message request, Index length) = 0;
  // What is decided: the server's own, or node 0's where there is none and nodes may differ by rounding.
  virtual Task<Matrix> settle(Matrix mine, Kind kind) = 0;
  virtual void tell(const Message& statement) = 0;
  virtual void close() = 0;

  virtual double samples() const = 0;  // N
  virtual Index devices() const = 0;
  virtual const Worker& listener() const = 0;  // has heard everything that was told
};

// The server is the node after all devices. Under differential privacy totals are of all of them.
FederationOptions federation_options(const Options& options, NodeId server);

// Both must not outlive the node. The server's listener has no samples.
std::unique_ptr<Coordinator> server_coordinator(Node& node, const Options& options,
                                                const Circumstances& circumstances);
// `own` is this node as a device, and must outlive it.
std::unique_ptr<Coordinator> gossip_coordinator(Node& node, Worker& own, const Options& options);

}  // namespace choir::federated_kmeans
