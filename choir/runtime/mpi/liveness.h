// Which ranks are still there. A rank on the same machine is seen to die; one elsewhere is asked, and has to
// answer within the silence that is allowed. Each rank watches the next one and tells all others what it
// finds.
//
//   Liveness liveness(world, identities, silence);
//   liveness.accept(arrival);                // a message with its tag
//   liveness.tick(now, waiting);             // often
//   if (const auto& loss = liveness.loss()) throw Error(ErrorCategory::PeerLost, loss->sentence);
//
// Guarded by World::mutex. What it finds first is final: after a loss the job can only end.
#pragma once

#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/runtime/mpi/placement.h"
#include "choir/runtime/mpi/process.h"
#include "choir/runtime/mpi/world.h"

namespace choir {

// What ranks tell each other about themselves before anything else; plain bytes.
struct Introduction {
  ProcessIdentity process;
  std::int32_t answers = 0;  // 1: a thread answers whatever the rank is doing
  std::int32_t zero = 0;
};

class Liveness {
 public:
  static constexpr int tag = 2;

  struct Loss {
    int rank = -1;    // whose fault it is; -1: nobody's alone
    int speaker = 0;  // who tells the user
    std::string sentence;
    Time since{};
  };

  Liveness(World& world, std::vector<Introduction> ranks, Duration silence);

  // The nodes of the present run, for the sentences.
  void set_placement(const Placement& placement) { placement_ = placement; }

  void accept(const ProbedMessage& arrival, Time now);
  void heard(int rank, Time now);
  // `waiting`: this rank cannot go on without the others, so that one that has left is missed.
  void tick(Time now, bool waiting);
  // Looks at every process of this machine at once.
  void look_at_all(Time now);

  // The lowest round that nodes of this rank wait in while none can run, and until when; told to who asks.
  void set_waiting(std::uint64_t round, Time until);
  void set_busy() { waiting_round_ = nobody_waits; }
  // For a caller that waited in a round until `since` for a node of that rank. Asks the rank, and
  // says whether the node is to blame: the rank is there, and is not itself about to give up on others.
  bool is_to_blame(int rank, std::uint64_t round, Time since, Time now);

  const std::optional<Loss>& loss() const { return loss_; }
  // A finding becomes a loss in two steps: who is found dead may have ended because of a loss, and have said
  // so before. So accept what has come, then confirm; that tells everyone. The first loss counts.
  void find(int rank, std::string sentence, Time now);
  bool has_finding() const { return finding_.has_value(); }
  void confirm_finding();
  // Exactly one rank tells the user. After a loss that is the lowest one that can, decided by who found it.
  bool is_speaker() const { return world_.rank() == (loss_ ? loss_->speaker : 0); }

  // Tells the others not to expect anything of this rank any more.
  void say_farewell();
  // Everyone said farewell, and everything was sent.
  bool is_alone();

  // "rank 2 (process 4711 on host, nodes 10 to 14)"
  std::string describe(int rank) const;
  const Introduction& introduction(int rank) const { return peers_[static_cast<std::size_t>(rank)].who; }

 private:
  static constexpr std::uint64_t nobody_waits = std::numeric_limits<std::uint64_t>::max();
  struct Peer {
    Introduction who;
    bool watchable = false;  // its process can be seen from here
    bool left = false;
    Time left_at{};
    Time heard{};
    std::optional<Time> asked;  // the oldest question that it has not answered
    Time last_asked{};
    Time answered{};
    std::uint64_t waiting_round = nobody_waits;  // as it answered
    Duration waits_for{};                        // from then on
  };
  enum class Word : std::uint32_t { ask, answer, lost, farewell };
  struct LetterHead {
    Word word;
    std::int32_t about = -1;
    std::int32_t speaker = 0;
    std::uint32_t zero = 0;
    std::uint64_t waiting_round = nobody_waits;
    Duration::rep waits_for = 0;
  };
  struct Letter {
    std::vector<std::byte> bytes;
    Ticket ticket;
  };

  Peer& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
  void tell(int rank, const LetterHead& head, const std::string& text = {});
  void ask(int rank, Time now);
  void answer(int rank, Time now);
  void forgive_own_absence(Time now);
  void look_at(int rank, Time now);
  void miss_who_has_left(Time now);
  bool is_dead(int rank) const;
  int choose_speaker(int blamed) const;
  template <class Condition>
  int next_rank(Condition condition) const;
  void forget_sent_letters();

  World& world_;
  const Duration silence_;
  std::vector<Peer> peers_;
  std::optional<Placement> placement_;
  std::optional<Loss> loss_;
  std::optional<Loss> finding_;
  std::uint64_t waiting_round_ = nobody_waits;
  Time waiting_until_{};
  int left_count_ = 0;
  bool leaving_ = false;
  Time last_tick_{};
  Time next_look_{};
  std::deque<Letter> letters_;  // MPI still reads them; their addresses do not change
};

}  // namespace choir
