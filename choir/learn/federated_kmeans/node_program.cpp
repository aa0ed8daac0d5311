#include <memory>
#include <utility>

#include "choir/base/stopwatch.h"
#include "choir/learn/federated_kmeans/conduct.h"
#include "choir/learn/federated_kmeans/coordinator.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/learn/federated_kmeans/noisy_conduct.h"

namespace choir::federated_kmeans {
namespace {

// A device answers a question, refuses, or is silent because an experiment wants it to be.
void respond(FederationDevice& device, Worker& worker, const Message& question) {
  const Word word = word_of(question);
  const bool about_single_samples = manner_of(word) == Manner::sum || word == Word::draw;
  if (worker.is_absent(question)) {
    device.keep_silent();
  } else if (about_single_samples && worker.refuses_sums()) {
    device.refuse();
  } else if (word == Word::noisy) {
    const NoisyAnswer answer = worker.noisy_sums(question);
    device.answer(answer.sums, answer.noise);
  } else if (manner_of(word) == Manner::sum) {
    device.answer(worker.sums(question));
  } else {
    device.publish(worker.publication_for(question));
  }
}

// The server is the node after them.
Index devices_of(const Node& node) { return node.network_size() - 1; }

void take_over(const Worker& worker, NodeResult& result) {
  result.model = worker.model();
  result.inertia = worker.found().inertia;
  result.iterations = worker.found().iterations;
  result.converged = worker.found().converged;
}

void take_over_as_device(const Worker& worker, NodeResult& result) {
  take_over(worker, result);
  result.privacy = worker.privacy();
  if (!result.privacy) result.labels = worker.labels();
  if (worker.refuses_sums()) result.notes.push_back(worker.refusal());
}

}  // namespace

Task<NodeResult> server_program(Node& node, Options options, Circumstances circumstances) {
  const Stopwatch clock;
  circumstances.devices = devices_of(node);
  NodeResult result{.node = node.id()};
  const std::unique_ptr<Coordinator> devices = server_coordinator(node, options, circumstances);
  if (options.privacy.wanted()) {
    co_await conduct_with_noise(node, *devices, options, circumstances, result);
  } else {
    Conductor conductor(node, *devices, options, circumstances, result);
    co_await conductor.run();
  }
  take_over(devices->listener(), result);
  result.seconds = clock.seconds();
  co_return result;
}

Task<NodeResult> device_program(Node& node, Shard shard, Options options, Circumstances circumstances) {
  const Stopwatch clock;
  circumstances.devices = devices_of(node);
  NodeResult result{.node = node.id()};
  Worker worker(node.id(), std::move(shard), options, circumstances);
  const auto server = static_cast<NodeId>(circumstances.devices);
  FederationDevice device(node, federation_options(options, server), worker.samples());
  co_await device.open();
  for (;;) {
    const std::optional<Message> heard = co_await device.next();
    if (!heard) break;
    if (manner_of(word_of(*heard)) == Manner::statement) {
      worker.hear(*heard);
    } else {
      respond(device, worker, *heard);
    }
  }
  take_over_as_device(worker, result);
  result.seconds = clock.seconds();
  co_return result;
}

Task<NodeResult> gossip_program(Node& node, Shard shard, Options options, Circumstances circumstances) {
  const Stopwatch clock;
  NodeResult result{.node = node.id()};
  Worker worker(node.id(), std::move(shard), options, circumstances);
  const std::unique_ptr<Coordinator> devices = gossip_coordinator(node, worker, options);
  Conductor conductor(node, *devices, options, circumstances, result);
  co_await conductor.run();
  take_over_as_device(worker, result);
  result.seconds = clock.seconds();
  co_return result;
}

}  // namespace choir::federated_kmeans
