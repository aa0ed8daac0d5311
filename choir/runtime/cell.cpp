#include "choir/runtime/cell.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/message_codec.h"

namespace choir {

NodeCell::NodeCell(NodeId id, RunContext& run)
    : id_(id),
      run_(run),
      node_(*this),
      mailbox_(run.graph.degree(id)),
      ended_peers_(static_cast<std::size_t>(run.graph.degree(id)), false) {}

void NodeCell::start(const Program& program) {
  try {
    program_ = program(node_);
    program_.start_on(trampoline_);
    waiting_for_ = WaitFor::start;
  } catch (...) {  // a program that is no coroutine, or whose frame does not fit
    ended_ = true;
    run_.failures.add(0, id_, std::current_exception());
  }
}

bool NodeCell::ready() {
  if (!given_up_.empty()) {
    for (const Index position : std::exchange(given_up_, {})) mailbox_.drop(position);
  }
  return has_what_it_waits_for();
}

bool NodeCell::has_what_it_waits_for() const {
  switch (waiting_for_) {
    case WaitFor::start:
      return true;
    case WaitFor::round:
      return mailbox_.round_complete();
    case WaitFor::message:
      if (expired_ || mailbox_.has_mail(channel_, source_)) return true;
      // With a deadline, "from anyone" waits for it even if nobody is left: a program that looks at the clock
      // in a loop must see time pass.
      return source_ == Mailbox::anyone ? deadline_.is_never() && mailbox_.all_ended()
                                        : mailbox_.ended(source_);
    case WaitFor::time:
      return expired_;
    case WaitFor::nothing:
      return false;
  }
  return false;
}

bool NodeCell::may_run() const {
  if (!run_.failures.any()) return true;
  if (waiting_for_ == WaitFor::start) return true;
  return waiting_for_ == WaitFor::round && mailbox_.round() < run_.failures.round();
}

void NodeCell::fetch() {
  switch (waiting_for_) {
    case WaitFor::round:
      fetch_round();
      break;
    case WaitFor::message:
      mail_ = mailbox_.take_mail(channel_, source_, neighbors());
      break;
    case WaitFor::start:
    case WaitFor::time:
    case WaitFor::nothing:
      break;
  }
  waiting_for_ = WaitFor::nothing;
  expired_ = false;
  const std::vector<Index>& goodbyes = mailbox_.goodbyes();
  for (; goodbyes_read_ < goodbyes.size(); ++goodbyes_read_) {
    ended_peers_[static_cast<std::size_t>(goodbyes[goodbyes_read_])] = true;
  }
}

void NodeCell::fetch_round() {
  try {
    note_losses();
  } catch (const Error&) {
    error_ = std::current_exception();
  }
  inbox_ = mailbox_.take_round(neighbors());  // also after a loss: the round is over
  if (error_) return;
  try {
    check_kinds();
  } catch (const Error&) {
    error_ = std::current_exception();
  }
}

std::string NodeCell::loss_reason(Index position) const {
  if (mailbox_.overdue(position)) return "missed its deadline";
  return mailbox_.ended(position) ? "has ended" : "has dropped the link";
}

void NodeCell::note_losses() {
  for (Index position = 0; position < run_.graph.degree(id_); ++position) {
    if (mailbox_.lost(position) || mailbox_.has_round_of(position)) continue;
    lose(position, loss_reason(position));
    dropped_.push_back(position);
    mailbox_.drop(position);
  }
}

void NodeCell::lose(Index position, std::string_view reason) {
  const NodeId peer = neighbors()[static_cast<std::size_t>(position)];
  if (run_.options.lost_peers == LostPeers::fail) {
    fail(ErrorCategory::PeerLost, "{}: node {} waits in round {} for node {}, which {}", run_.contract.method,
         id_, mailbox_.round(), peer, reason);
  }
  losses_.push_back({id_, peer, mailbox_.round(), std::string(reason), run_.host.now(id_)});
}

const TreePlace& NodeCell::tree() {
  if (!tree_) {
    const std::span<const NodeId> children = run_.tree.children(id_);
    const auto self = static_cast<std::size_t>(id_);
    const TreePlace place{.root = run_.tree.root,
                          .parent = run_.tree.parent[self],
                          .children = {children.begin(), children.end()},
                          .depth = run_.tree.depth[self],
                          .height = run_.tree_height};
    tree_ = std::make_unique<const TreePlace>(place);
  }
  return *tree_;
}

bool NodeCell::lost(Index position) const {
  return mailbox_.lost(position) ||
         std::find(given_up_.begin(), given_up_.end(), position) != given_up_.end();
}

void NodeCell::give_up_on(Index position, std::string_view reason) {
  if (lost(position)) return;
  lose(position, reason);
  given_up_.push_back(position);
  tell_dropped(position);  // at once: the next exchange sends it nothing
}

void NodeCell::check_kinds() {
  for (const Received& received : inbox_) {
    const Kind sent = sent_kinds_[sent_kinds_.size() == 1 ? 0 : static_cast<std::size_t>(received.position)];
    if (received.message.kind() == sent) continue;
    fail(ErrorCategory::Internal,
         "{}: in round {} node {} sent {} and got {} from node {}; the programs of the two have diverged",
         run_.contract.method, received.message.round(), id_, to_string(sent),
         to_string(received.message.kind()), received.from);
  }
}

// The other side must stop counting on us, too. Our message of the last round is already on its way.
void NodeCell::tell_dropped(Index position) {
  const Goodbye goodbye{.first_unsent_round = mailbox_.round(), .ended = false};
  run_.host.post(run_.links.link(id_, position), goodbye);
}

void NodeCell::resume() {
  if (!dropped_.empty()) {
    for (const Index position : std::exchange(dropped_, {})) tell_dropped(position);
  }
  trampoline_.resume();
  if (program_.done()) finish();
}

void NodeCell::finish() {
  ended_ = true;
  try {
    program_.take();
  } catch (...) {
    run_.failures.add(mailbox_.round(), id_, std::current_exception());
    program_ = {};
    return;  // nobody must mistake a failed node for one that ended
  }
  program_ = {};
  const Goodbye goodbye{.first_unsent_round = mailbox_.round(), .ended = true};
  for (Index position = 0; position < run_.graph.degree(id_); ++position) {
    if (!lost(position)) run_.host.post(run_.links.link(id_, position), goodbye);
  }
}

void NodeCell::abandon() {
  program_ = {};
  ended_ = true;
  waiting_for_ = WaitFor::nothing;
}

std::string NodeCell::describe_wait() const {
  switch (waiting_for_) {
    case WaitFor::round:
      for (Index position = 0; position < run_.graph.degree(id_); ++position) {
        if (!mailbox_.lost(position) && !mailbox_.has_round_of(position)) {
          return fmt::format("waits for node {} in round {}", neighbors()[static_cast<std::size_t>(position)],
                             mailbox_.round());
        }
      }
      return fmt::format("is in round {}", mailbox_.round());
    case WaitFor::message:
      return source_ == Mailbox::anyone
                 ? fmt::format("waits for a message on channel {}", channel_)
                 : fmt::format("waits for a message of node {} on channel {}",
                               neighbors()[static_cast<std::size_t>(source_)], channel_);
    case WaitFor::time:
      return "sleeps";
    case WaitFor::start:
      return "has not started";
    case WaitFor::nothing:
      return ended_ ? "has ended" : fmt::format("computes in round {}", mailbox_.round());
  }
  return {};
}

void NodeCell::require_declared(Kind kind) const {
  if (run_.contract.kinds.has(kind)) return;
  fail(ErrorCategory::InvalidArgument,
       "{}: node {} was about to send {}, but the method declares only {}; nothing was sent",
       run_.contract.method, id_, to_string(kind), run_.contract.kinds.text());
}

void NodeCell::send(Index position, Message message) {
  require_declared(message.kind());
  if (message.channel() == exchange_channel) {
    fail(ErrorCategory::InvalidArgument,
         "{}: node {} was about to send on channel {}, which belongs to exchange(); open a channel and use "
         "message.on(channel, round)",
         run_.contract.method, id_, exchange_channel);
  }
  post(position, std::move(message));
}

void NodeCell::post(Index position, Message message) {
  run_.ledger.count(id_, position, message.kind(), encoded_size(message));
  if (run_.options.audit) {
    run_.options.audit(id_, neighbors()[static_cast<std::size_t>(position)], message);
  }
  run_.host.post(run_.links.link(id_, position), std::move(message));
}

void NodeCell::begin_exchange(const Outbox& outbox, Deadline deadline) {
  const Index degree = run_.graph.degree(id_);
  if (!outbox.same_to_all() && outbox.size() != degree) {
    fail(ErrorCategory::InvalidArgument, "{}: node {} has {} neighbours but its outbox holds {} messages",
         run_.contract.method, id_, degree, outbox.size());
  }
  sent_kinds_.clear();
  for (Index position = 0; position < outbox.size(); ++position) {
    require_declared(outbox.at(position).kind());  // all of them before the first is sent
    sent_kinds_.push_back(outbox.at(position).kind());
  }
  const std::uint64_t round = mailbox_.round();
  for (Index position = 0; position < degree; ++position) {
    if (lost(position)) continue;
    Message message = outbox.at(position);
    message.on(exchange_channel, round);
    post(position, std::move(message));
  }
  waiting_for_ = WaitFor::round;
  deadline_ = deadline;
}

void NodeCell::begin_receive(Channel channel, Index position, Deadline deadline) {
  waiting_for_ = WaitFor::message;
  channel_ = channel;
  source_ = position;
  deadline_ = deadline;
}

void NodeCell::begin_sleep(Time until) {
  waiting_for_ = WaitFor::time;
  deadline_ = Deadline::at(until);
}

Inbox NodeCell::finish_exchange() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return std::move(inbox_);
}

std::optional<Received> NodeCell::finish_receive() { return std::exchange(mail_, std::nullopt); }

}  // namespace choir
