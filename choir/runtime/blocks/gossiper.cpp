#include "choir/runtime/blocks/gossiper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr Purpose tick_purpose("gossip-tick");

// What the first integer of a control message says.
constexpr std::int64_t acknowledgement = 0;
constexpr std::int64_t done = 1;
// What the last integer of a share says.
constexpr std::int64_t news = 0;
constexpr std::int64_t answer = 1;

constexpr int longest_wait_intervals = 10;
constexpr double half = 0.5;
constexpr int most_times_revived = 3;
constexpr int longest_goodbye_times = 12;

}  // namespace

Gossiper::Gossiper(Node& node, GossipValue& value, const GossipOptions& options, Channel channel)
    : node_(node),
      options_(options),
      channel_(channel),
      value_(value),
      peers_(node.neighbors().size(), Peer{.out = AcknowledgedSender(options.resend_after),
                                           .in = {},
                                           .heard = node.now(),
                                           .used = options.more_follows}),
      next_tick_(node.now()),
      next_look_(node.now() + options.resend_after / 2),
      last_event_(node.now()) {
  schedule_tick();
}

void Gossiper::schedule_tick() {
  // Every conversation draws its own numbers.
  const std::uint64_t round = (std::uint64_t{channel_} << 32) + static_cast<std::uint64_t>(ticks_);
  const double waits = -std::log1p(-node_.rng(tick_purpose, round).uniform());
  const auto interval = static_cast<double>(options_.mean_interval.count());
  next_tick_ = node_.now() + Duration(1 + static_cast<Duration::rep>(waits * interval));
}

Time Gossiper::next_event() const {
  const Time due = finished_ ? next_look_ : std::min({next_tick_, next_look_, value_.next_change()});
  return std::max(due, node_.now() + Duration(1));
}

bool Gossiper::has_finished() {
  const bool changes = value_.next_change() != Time::max();
  const bool enough = peers_.empty() || last_ticks_ >= options_.messages || value_.is_settled();
  finished_ = !changes && enough;
  if (!finished_) finished_since_ = Time::max();
  if (finished_ && finished_since_ == Time::max()) finished_since_ = node_.now();
  return finished_;
}

void Gossiper::advance(bool all_mail_read) {
  const Time now = node_.now();
  if (value_.next_change() <= now) value_.change(now);
  // A machine with too much to do: what was received but not yet read goes first, or the same old news would
  // be sent again and again. Ticks that were missed are not made up for.
  const bool patience_ends = next_tick_ + longest_wait_intervals * options_.mean_interval <= now;
  if (!has_finished() && next_tick_ <= now && (all_mail_read || patience_ends)) {
    tick();
    ++ticks_;
    if (value_.next_change() == Time::max()) ++last_ticks_;
    schedule_tick();
  }
  if (next_look_ > now || !all_mail_read) return;
  for (std::size_t position = 0; position < peers_.size(); ++position) look_after(position);
  next_look_ = now + std::max<Duration>(options_.resend_after / 2, Duration(1));
}

std::vector<std::size_t> Gossiper::recipients() const {
  std::vector<std::size_t> present;
  for (std::size_t position = 0; position < peers_.size(); ++position) {
    const bool wanted = !options_.only_to || id_of(position) == *options_.only_to;
    const bool there = !peers_[position].gone && !node_.has_ended(static_cast<Index>(position));
    const bool may_have_left = options_.more_follows && peers_[position].told_done;
    if (wanted && there && !may_have_left) present.push_back(position);
  }
  return present;
}

void Gossiper::tick() {
  const std::vector<std::size_t> present = recipients();
  if (present.empty() && options_.more_follows) last_ticks_ = options_.messages;  // all were let go
  if (present.empty() || !value_.can_give()) return;
  if (options_.to == Recipients::all) {
    // Of equal shares the k-th is 1/(remaining) of what is left by then.
    auto remaining = static_cast<double>(present.size() + 1);
    for (const std::size_t position : present) send_share(position, 1 / remaining--, news);
    return;
  }
  const std::uint64_t round = (std::uint64_t{channel_} << 32) + static_cast<std::uint64_t>(ticks_);
  Rng rng = node_.rng(tick_purpose, round);
  rng.bits();  // the time of the tick
  send_share(present[rng.below(present.size())], half, news);
}

void Gossiper::send_share(std::size_t position, double share, std::int64_t why) {
  Message message = value_.give(share);
  message.integer(why).on(channel_, 0);
  if (options_.acknowledged) message = peers_[position].out.wrap(std::move(message), node_.now());
  node_.send(id_of(position), std::move(message));
  peers_[position].used = true;
  peers_[position].told_done = false;  // an answer after that: it is said again
  peers_[position].settled = Time::max();
  ++counts_.sent;
  last_event_ = node_.now();
}

void Gossiper::say_done(std::size_t position) {
  Peer& peer = peers_[position];
  Message message(Kind::control);
  message.integer(done).on(channel_, 0);
  // It may have been asking for an acknowledgement that was lost, and not leave without it.
  if (options_.more_follows) message.integer(static_cast<std::int64_t>(peer.in.all_below()));
  if (options_.acknowledged) message = peer.out.wrap(std::move(message), node_.now());
  node_.send(id_of(position), std::move(message));
  peer.told_done = true;
}

bool Gossiper::awaits_more(const Peer& peer) const {
  return !peer.done || (options_.more_follows && !peer.in.has_all_below(peer.promised));
}

// If more follows, several times while a neighbour lingers.
Duration Gossiper::silence_to_ask_after() const {
  const Duration rarely = options_.give_up_after / 4;
  return options_.more_follows ? std::min(rarely, options_.linger / 4) : rarely;
}

void Gossiper::look_after(std::size_t position) {
  Peer& peer = peers_[position];
  const Time now = node_.now();
  if (peer.gone || !peer.used) return;
  if (options_.more_follows && closed(peer)) return;  // it has gone on, and is not to be given up for that
  if (node_.has_ended(static_cast<Index>(position))) {
    leave_alone(peer);
    return;
  }
  if (peer.asked <= now - options_.give_up_after) {
    give_up_on(peer);
    return;
  }
  for (const Message& again : peer.out.overdue(now)) {
    node_.send(id_of(position), again);
    peer.asked = std::min(peer.asked, now);
    ++counts_.resent;
  }
  // If more follows, what may still come back must find neighbours that have not been let go.
  const bool settled =
      finished_ && (options_.more_follows ? nothing_is_pending() : peer.out.all_acknowledged());
  const bool asks = options_.acknowledged && peer.told_done && awaits_more(peer) &&
                    peer.heard + silence_to_ask_after() <= now;  // it may be gone: will it answer?
  if (settled && (!peer.told_done || asks)) say_done(position);
  if (peer.done && peer.told_done) peer.settled = std::min(peer.settled, now);
}

bool Gossiper::nothing_is_pending() const {
  return std::all_of(peers_.begin(), peers_.end(),
                     [](const Peer& peer) { return peer.gone || peer.out.only_control_is_pending(); });
}

// Whether anything came back.
bool Gossiper::take_back(Peer& peer) {
  bool any = false;
  for (const Message& share : peer.out.abandon()) {
    if (share.kind() == Kind::control) continue;
    value_.take(node_.id(), share);
    any = true;
  }
  peer.asked = Time::max();
  return any;
}

// For so many ticks more.
void Gossiper::go_on(Index ticks) {
  if (options_.more_follows && recipients().empty()) return;  // all others have been let go
  finished_ = false;
  last_ticks_ = std::max<Index>(0, std::min(last_ticks_, options_.messages - ticks));
  next_tick_ = std::max(next_tick_, node_.now());
}

// It may have added what it did not acknowledge; but then it has crashed since, and that is gone with it.
void Gossiper::give_up_on(Peer& peer) {
  peer.gone = true;
  peer.was_gone = true;
  peer.told_done = false;
  // What comes back is news that nobody has heard, as after any change of the value; but neighbours that come
  // and go must not keep a node for ever.
  if (take_back(peer) && ++times_revived_ <= most_times_revived) go_on(options_.messages);
}

// It has left, which it does only when all it had added was acknowledged and it knew that we knew: what we
// have no acknowledgement of never came.
void Gossiper::leave_alone(Peer& peer) {
  if (take_back(peer)) go_on(1);
  peer.done = peer.told_done = true;
  peer.promised = 0;
}

void Gossiper::handle(const Received& received) {
  Peer& peer = peers_[static_cast<std::size_t>(received.position)];
  last_event_ = peer.heard = node_.now();
  peer.used = true;
  peer.asked = Time::max();
  peer.came_back = peer.came_back || peer.gone;
  peer.gone = false;
  const bool control = received.message.kind() == Kind::control;
  if (control && received.message.integer(0) == acknowledgement) {
    peer.out.acknowledge(static_cast<std::uint64_t>(received.message.integer(1)));
    peer.out.acknowledge_below(static_cast<std::uint64_t>(received.message.integer(4)));
    peer.promised = std::max(peer.promised, static_cast<std::uint64_t>(received.message.integer(2)));
    peer.in.skip_below(static_cast<std::uint64_t>(received.message.integer(3)));
    return;
  }
  if (!is_repetition(received)) {
    if (control) {
      handle_control(received);
    } else {
      take_share(received);
    }
  }
  // Last, so that whoever waits for the acknowledgement does not leave before the answer to its share came.
  if (options_.acknowledged) acknowledge(received);
}

void Gossiper::take_share(const Received& received) {
  value_.take(received.from, received.message);
  Peer& peer = peers_[static_cast<std::size_t>(received.position)];
  if (options_.acknowledged) {  // an answer after it was done: it waits for our acknowledgement again
    peer.shares_below = std::max(peer.shares_below, received.message.round() + 1);
    peer.done = false;
  }
  // Whoever came late sends when all others have finished: it would never hear anything. Without
  // acknowledgements nobody knows whether it is still there.
  const std::int64_t why = received.message.integer(received.message.integers().size() - 1);
  const bool wants_answer = options_.acknowledged && finished_ && why == news;
  if (wants_answer && value_.can_give()) {
    send_share(static_cast<std::size_t>(received.position), half, answer);
  }
}

void Gossiper::handle_control(const Received& received) {
  const std::int64_t what = received.message.integer(0);
  if (what != done) {
    fail(ErrorCategory::BadData, "node {} sent node {} an unknown word of gossip: {}", received.from,
         node_.id(), what);
  }
  Peer& peer = peers_[static_cast<std::size_t>(received.position)];
  if (!options_.acknowledged || received.message.round() >= peer.shares_below) peer.done = true;
  if (options_.more_follows)
    peer.out.acknowledge_below(static_cast<std::uint64_t>(received.message.integer(1)));
}

// Everything numbered is acknowledged, repetitions too: the first acknowledgement may be the one that was
// lost.
bool Gossiper::is_repetition(const Received& received) {
  if (!options_.acknowledged) return false;
  const bool repetition =
      !peers_[static_cast<std::size_t>(received.position)].in.is_new(received.message.round());
  if (repetition) ++counts_.duplicates;
  return repetition;
}

void Gossiper::acknowledge(const Received& received) {
  Message word(Kind::control);
  const Peer& peer = peers_[static_cast<std::size_t>(received.position)];
  word.integer(acknowledgement).integer(static_cast<std::int64_t>(received.message.round()));
  word.integer(static_cast<std::int64_t>(peer.out.sent()));
  word.integer(static_cast<std::int64_t>(peer.out.void_below()));
  // Earlier acknowledgements may have been lost.
  word.integer(static_cast<std::int64_t>(peer.in.all_below())).on(channel_, 0);
  node_.send(received.from, std::move(word));
}

// A link that nobody used needs no last words: in a large complete network nearly all are like that. Who
// would still have drawn it sees that the node has ended, and draws another one. If more follows it has not
// ended, and all links count as used.
bool Gossiper::closed(const Peer& peer) const {
  if (peer.gone || !peer.used) return true;
  if (!peer.done || !peer.told_done || !peer.in.has_all_below(peer.promised)) return false;
  if (peer.out.all_acknowledged()) return true;
  // Only our "done" can still be unacknowledged, and whoever is done itself may have left. If more follows,
  // one that misses our "done" does not see that we end but asks, again and again.
  const Time quiet_since = options_.more_follows ? std::max(peer.settled, peer.heard) : peer.settled;
  return peer.settled != Time::max() && quiet_since + options_.linger <= node_.now();
}

bool Gossiper::may_leave() const {
  if (!finished_) return false;
  if (peers_.empty() || out_of_patience()) return true;
  const bool all_closed =
      std::all_of(peers_.begin(), peers_.end(), [this](const Peer& peer) { return closed(peer); });
  if (options_.acknowledged) return all_closed;
  return all_closed || last_event_ + options_.linger <= node_.now();
}

// A neighbour that always answers but never says that it is done must not keep a node for ever.
bool Gossiper::out_of_patience() const {
  return finished_since_ != Time::max() &&
         finished_since_ + longest_goodbye_times * options_.give_up_after <= node_.now();
}

GossipCounts Gossiper::counts() const {
  GossipCounts counts = counts_;
  for (std::size_t position = 0; position < peers_.size(); ++position) {
    const Peer& peer = peers_[position];
    const bool left_waiting = out_of_patience() && !closed(peer);
    if (peer.was_gone || left_waiting) counts.given_up.push_back(id_of(position));
    if (peer.came_back) counts.came_back.push_back(id_of(position));
  }
  return counts;
}

}  // namespace choir
