#include "choir/runtime/mpi/liveness.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr Duration between_looks = std::chrono::milliseconds(100);
// A rank may finish a little earlier than others; what it has sent is still on its way.
constexpr Duration farewell_grace = std::chrono::seconds(1);
constexpr int questions_per_silence = 5;
// Between the questions of who blames a rank, and until one that may be unable to answer is blamed.
constexpr Duration between_questions = std::chrono::milliseconds(50);
constexpr Duration answer_time = std::chrono::milliseconds(500);
// What is due so soon is waited for.
constexpr Duration about_to_give_up = std::chrono::milliseconds(200);

}  // namespace

Liveness::Liveness(World& world, std::vector<Introduction> ranks, Duration silence)
    : world_(world), silence_(silence) {
  const ProcessIdentity& mine = ranks[static_cast<std::size_t>(world.rank())].process;
  for (const Introduction& who : ranks) {
    Peer peer;
    peer.who = who;
    peer.watchable = can_watch(mine, who.process);
    peers_.push_back(peer);
  }
}

std::string Liveness::describe(int rank) const {
  const ProcessIdentity& process = introduction(rank).process;
  const std::string nodes = placement_ ? ", " + placement_->describe_block(rank) : std::string();
  return fmt::format("rank {} (process {} on {}{})", rank, process.id, process.host_name(), nodes);
}

void Liveness::tell(int rank, const LetterHead& head, const std::string& text) {
  Letter& letter = letters_.emplace_back();
  letter.bytes.resize(sizeof head + text.size());
  std::memcpy(letter.bytes.data(), &head, sizeof head);
  if (!text.empty()) std::memcpy(letter.bytes.data() + sizeof head, text.data(), text.size());
  letter.ticket = world_.send(rank, tag, letter.bytes.data(), letter.bytes.size());
}

void Liveness::forget_sent_letters() {
  while (!letters_.empty() && world_.done(letters_.front().ticket)) letters_.pop_front();
}

void Liveness::heard(int rank, Time now) {
  peer(rank).heard = now;
  peer(rank).asked.reset();
}

void Liveness::accept(const ProbedMessage& arrival, Time now) {
  std::vector<std::byte> bytes(arrival.bytes);
  world_.receive_now(arrival, bytes.data());
  heard(arrival.from, now);
  LetterHead head{};
  if (bytes.size() < sizeof head) fail(ErrorCategory::BadData, "rank {} sent a damaged letter", arrival.from);
  std::memcpy(&head, bytes.data(), sizeof head);
  switch (head.word) {
    case Word::ask:
      if (!leaving_) answer(arrival.from, now);
      break;
    case Word::answer:
      peer(arrival.from).answered = now;
      peer(arrival.from).waiting_round = head.waiting_round;
      peer(arrival.from).waits_for = Duration(head.waits_for);
      break;
    case Word::lost:
      if (!loss_) {
        const char* text = reinterpret_cast<const char*>(bytes.data() + sizeof head);
        loss_ = {head.about, head.speaker, std::string(text, bytes.size() - sizeof head), now};
      }
      break;
    case Word::farewell:
      if (!peer(arrival.from).left) ++left_count_;
      peer(arrival.from).left = true;
      peer(arrival.from).left_at = now;
      break;
  }
}

// Whom this rank watches: every rank is watched by the one before it.
template <class Condition>
int Liveness::next_rank(Condition condition) const {
  for (int step = 1; step < world_.ranks(); ++step) {
    const int rank = (world_.rank() + step) % world_.ranks();
    const Peer& it = peers_[static_cast<std::size_t>(rank)];
    if (!it.left && condition(it)) return rank;
  }
  return -1;
}

// A process that was stopped and goes on finds all its questions unanswered; so do the others.
void Liveness::forgive_own_absence(Time now) {
  if (last_tick_ != Time{} && now - last_tick_ > silence_ / 2) {
    for (Peer& it : peers_) {
      if (it.asked) it.asked = now;
    }
  }
  last_tick_ = now;
}

void Liveness::ask(int rank, Time now) {
  Peer& it = peer(rank);
  it.last_asked = now;
  if (!it.asked) it.asked = now;
  tell(rank, {.word = Word::ask});
}

void Liveness::set_waiting(std::uint64_t round, Time until) {
  waiting_round_ = round;
  waiting_until_ = until;
}

void Liveness::answer(int rank, Time now) {
  const Duration waits_for = waiting_until_ == Time::max() ? Duration::max() : waiting_until_ - now;
  tell(rank, {.word = Word::answer, .waiting_round = waiting_round_, .waits_for = waits_for.count()});
}

bool Liveness::is_to_blame(int rank, std::uint64_t round, Time since, Time now) {
  if (rank == world_.rank()) return true;
  Peer& it = peer(rank);
  if (it.left) return false;  // the whole rank will be missed
  if (it.answered > since) {
    const bool waits_itself = it.waiting_round < round && it.waits_for < about_to_give_up;
    if (!waits_itself) return true;
  } else if (it.who.answers == 0 && it.asked && now - *it.asked > answer_time) {
    return true;
  }
  if (now - it.last_asked >= between_questions) ask(rank, now);
  return false;
}

bool Liveness::is_dead(int rank) const {
  const Peer& it = peers_[static_cast<std::size_t>(rank)];
  return rank != world_.rank() && it.watchable && has_died(it.who.process);
}

void Liveness::look_at(int rank, Time now) {
  if (!peer(rank).left && is_dead(rank)) find(rank, describe(rank) + " has died", now);
}

void Liveness::look_at_all(Time now) {
  for (int rank = 0; rank < world_.ranks(); ++rank) look_at(rank, now);
}

void Liveness::miss_who_has_left(Time now) {
  for (int rank = 0; rank < world_.ranks(); ++rank) {
    const Peer& it = peer(rank);
    if (it.left && now - it.left_at > farewell_grace) {
      find(rank, describe(rank) + " has left before the end of the run", now);
    }
  }
}

void Liveness::tick(Time now, bool waiting) {
  forget_sent_letters();
  forgive_own_absence(now);
  if (loss_ || leaving_ || now < next_look_) return;
  next_look_ = now + between_looks;
  const int neighbor = next_rank([](const Peer& it) { return it.watchable; });
  if (neighbor >= 0) look_at(neighbor, now);
  const int answering = next_rank([](const Peer& it) { return it.who.answers == 1; });
  if (answering >= 0 && now - peer(answering).last_asked >= silence_ / questions_per_silence) {
    ask(answering, now);
  }
  for (int rank = 0; rank < world_.ranks(); ++rank) {
    const Peer& it = peer(rank);
    if (!it.left && it.who.answers == 1 && it.asked && now - *it.asked > silence_) {
      find(rank, describe(rank) + " does not answer", now);
    }
  }
  if (waiting && left_count_ > 0) miss_who_has_left(now);
}

int Liveness::choose_speaker(int blamed) const {
  int speaker = 0;
  while (speaker < world_.rank() &&
         (speaker == blamed || peers_[static_cast<std::size_t>(speaker)].left || is_dead(speaker))) {
    ++speaker;
  }
  return speaker;
}

void Liveness::find(int rank, std::string sentence, Time now) {
  if (!finding_ && !loss_) finding_ = {rank, choose_speaker(rank), std::move(sentence), now};
}

void Liveness::confirm_finding() {
  auto finding = std::exchange(finding_, std::nullopt);
  if (loss_ || !finding) return;
  loss_ = std::move(finding);
  for (int other = 0; other < world_.ranks(); ++other) {
    if (other == world_.rank() || is_dead(other)) continue;
    try {
      tell(other, {.word = Word::lost, .about = loss_->rank, .speaker = loss_->speaker}, loss_->sentence);
    } catch (const Error&) {
      // Who cannot be told finds out alone.
    }
  }
}

// The last thing that others hear: what came after it could reach the next engine's communicator.
void Liveness::say_farewell() {
  leaving_ = true;
  for (int rank = 0; rank < world_.ranks(); ++rank) {
    if (rank != world_.rank()) tell(rank, {.word = Word::farewell});
  }
}

bool Liveness::is_alone() {
  forget_sent_letters();
  return left_count_ == world_.ranks() - 1 && letters_.empty();
}

}  // namespace choir
