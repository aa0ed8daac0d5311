// Sums over the network of which no node on the way sees a part. README.md beside this says what that covers.
//
//   const Matrix told = co_await secure_sum(node, mine);                               // at all nodes
//   const std::optional<Matrix> total = co_await secure_sum_at_root(node, mine);       // at the root
//   const Matrix counts = co_await secure_sum(node, mine, samples);      // no entry is larger than `samples`
//
// The first sum of a run opens them: everybody learns everybody's key.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/common_draw.h"
#include "choir/runtime/blocks/secure_sum/pair_masks.h"
#include "choir/runtime/blocks/secure_sum/signed_roster.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// What a node keeps for the masked sums of a run. Copies are of the same.
struct SecureSums {
  struct Masks {
    PairMasks pairs;
    std::vector<NodeId> partners = {};  // who this node shares masks with; partners.h
    Index nodes = 0;                    // that take part
    std::uint64_t number = 0;           // of the last sum
  };
  std::shared_ptr<Masks> masks;
};

// Everybody learns everybody's public key and checks who has signed it, and who masks with whom is drawn. The
// first time; afterwards nothing is left to do. A node that is lost before it is left out if the run goes on
// without it, while more than half are there. Throws Error(BadData) for keys that their nodes have not
// signed, and Error(PeerLost) if too many are missing.
Task<SecureSums> open_secure_sums(Node& node);

inline constexpr double unknown_limit = std::numeric_limits<double>::infinity();

// `mine` has the same shape at all nodes. All nodes call the same sums in the same order. With a limit, the
// same at all nodes and above no entry's absolute value, an entry is one word; without, the network first
// finds powers of two above all entries (largest_power.h). Throws Error(PeerLost) at the root if a node is
// missing or nodes were told different keys, with nothing unmasked; Error(InvalidArgument) for entries that
// are no numbers or above the limit.
Task<std::optional<Matrix>> secure_sum_at_root(Node& node, Matrix mine, double limit = unknown_limit);
Task<Matrix> secure_sum(Node& node, Matrix mine, double limit = unknown_limit);
// The same, for who opened them.
Task<std::optional<Matrix>> secure_sum_at_root(Node& node, SecureSums& sums, Matrix mine);
Task<Matrix> secure_sum(Node& node, SecureSums& sums, Matrix mine);

// Words as they are, added up modulo 2^64: for who makes numbers of them in a way of its own. One column.
Task<std::optional<Words>> secure_words_at_root(Node& node, SecureSums& sums, Words mine);

// A power of two for each row of all nodes' matrices that is above its entries' absolute values, and nothing
// else about them.
Task<Vector> secure_limits(Node& node, Matrix mine);

// The parts of a sum, for who has to send words in a way of its own.
//
//   SumsOpening opening(node);
//   opening.learn(table);                                 // of everybody's opening.introduction()
//   if (opening.draws()) opening.draw(shares);            // of everybody's opening.share()
//   SecureSums sums = std::move(opening).sums();
//   const Words words = hidden_words(sums, mine);               // added up modulo 2^64 on their way
//   const std::optional<Words> total = opened_words(sums, all);
class SumsOpening {
 public:
  explicit SumsOpening(const Node& node);

  Words introduction() const;
  void learn(const WordsView& table);
  bool draws() const;  // beyond networks in which all are partners of all
  Words share() const { return record_of(pairs_.self(), share_.bytes); }
  void draw(const WordsView& shares);
  SecureSums sums() &&;

 private:
  Identity identity_;
  LostPeers lost_peers_;
  PairMasks pairs_;
  DrawShare share_ = DrawShare::fresh();
  std::optional<SignedRoster> roster_;
  std::uint64_t seed_ = 0;
};

// With a last word that is 1 at every node.
Words hidden_words(SecureSums& sums, Words mine);
// Without that word. Nothing, if it shows that the words are not those of all nodes, or their masks do not
// cancel.
std::optional<Words> opened_words(const SecureSums& sums, const WordsView& total);

}  // namespace choir
