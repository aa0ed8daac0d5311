#include "choir/runtime/node.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/runtime/cell.h"

namespace choir {

Inbox Exchange::await_resume() const { return cell_->finish_exchange(); }
std::optional<Received> Receive::await_resume() const { return cell_->finish_receive(); }
void Sleep::await_resume() const {}

NodeId Node::id() const { return cell_->id(); }
Index Node::network_size() const { return cell_->run().graph.nodes(); }
std::span<const NodeId> Node::neighbors() const { return cell_->neighbors(); }

Index Node::position_of(NodeId neighbor) const {
  const std::span<const NodeId> all = neighbors();
  const auto found = std::lower_bound(all.begin(), all.end(), neighbor);
  if (found == all.end() || *found != neighbor) {
    fail(ErrorCategory::InvalidArgument, "node {} is not linked to node {}; messages go to neighbours only",
         id(), neighbor);
  }
  return found - all.begin();
}

bool Node::lost(Index position) const { return cell_->lost(position); }
bool Node::has_ended(Index position) const { return cell_->has_ended(position); }
LostPeers Node::lost_peers() const { return cell_->run().options.lost_peers; }

void Node::give_up_on(NodeId neighbor, std::string_view reason) {
  cell_->give_up_on(position_of(neighbor), reason);
}

const TreePlace& Node::tree() const { return cell_->tree(); }

Identity Node::identity() const {
  const RunContext& run = cell_->run();
  if (!run.identities.exist()) {
    fail(ErrorCategory::InvalidArgument,
         "{}: node {} asked for its identity, but the method does not declare messages of kind {}",
         run.contract.method, id(), to_string(Kind::masked));
  }
  return run.identities.of(id());
}

std::any& Node::keepsake(std::type_index type) { return cell_->keepsakes()[type]; }

void Node::send(NodeId to, Message message) { cell_->send(position_of(to), std::move(message)); }
Channel Node::open_channel() { return cell_->open_channel(); }
Channel Node::open_reliable_channel() { return cell_->open_channel() | reliable_mark; }

Receive Node::receive(Channel channel, Deadline deadline) {
  cell_->begin_receive(channel, Mailbox::anyone, deadline);
  return Receive(*cell_);
}

Receive Node::receive_from(NodeId neighbor, Channel channel, Deadline deadline) {
  cell_->begin_receive(channel, position_of(neighbor), deadline);
  return Receive(*cell_);
}

Exchange Node::exchange(const Outbox& outbox, Deadline deadline) {
  cell_->begin_exchange(outbox, deadline);
  return Exchange(*cell_);
}

std::uint64_t Node::round() const { return cell_->round(); }

Sleep Node::sleep(Duration duration) {
  cell_->begin_sleep(Deadline::after(duration, now()).time());
  return Sleep(*cell_);
}

Time Node::now() const { return cell_->run().host.now(id()); }
Deadline Node::deadline() const { return Deadline::after(cell_->run().options.deadline, now()); }

Rng Node::rng(Purpose purpose, std::uint64_t round) const {
  return Rng(cell_->run().options.seed, purpose, static_cast<std::uint64_t>(id()), round);
}

const Watch& Node::watch() const { return cell_->run().options.watch; }
int Node::threads() const { return cell_->run().options.threads; }
std::stop_token Node::stop_token() const { return cell_->run().options.watch.stop; }

}  // namespace choir
