#include "choir/learn/federation/survivors.h"

#include <algorithm>
#include <set>
#include <span>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr const char* purpose = "federation: answers in a total";

// Lengths before lists, so that no two say the same.
std::vector<std::byte> statement(const Survivors& survivors) {
  std::vector<std::int64_t> words = {static_cast<std::int64_t>(survivors.number), std::ssize(survivors.asked),
                                     std::ssize(survivors.answered)};
  words.insert(words.end(), survivors.asked.begin(), survivors.asked.end());
  words.insert(words.end(), survivors.answered.begin(), survivors.answered.end());
  const auto bytes = std::as_bytes(std::span(words));
  std::vector<std::byte> all(survivors.roster.begin(), survivors.roster.end());
  all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

// All devices of a process are told the same table.
Hash hash_of(const WordsView& table, std::vector<std::byte> said) {
  const auto bytes = std::as_bytes(std::span(table.data(), static_cast<std::size_t>(table.size())));
  said.insert(said.end(), bytes.begin(), bytes.end());
  return fingerprint("federation: signatures of a total", said);
}

}  // namespace

Index most_colluding(Index roster) { return roster / 5; }

Index quorum(Index asked, Index roster) { return (asked + most_colluding(roster)) / 2 + 1; }

Words signed_record(const Identity& signer, NodeId self, const Survivors& survivors) {
  const Signature signature = signer.key.sign(purpose, statement(survivors));
  return record_of(self, signature);
}

void require_signed(const WordsView& table, const Survivors& survivors, const Identity& reader,
                    Index roster) {
  const Index least = quorum(std::ssize(survivors.asked), roster);
  if (table.cols() < least) {
    fail(ErrorCategory::BadData,
         "a total of {} answers was to be unmasked with the signatures of {} devices, and {} must agree on "
         "whose answers are in it; nothing was unmasked",
         survivors.answered.size(), table.cols(), least);
  }
  const std::vector<std::byte> said = statement(survivors);
  const Hash arrived = hash_of(table, said);
  if (reader.checked.has(arrived)) return;
  std::set<NodeId> signers;
  for (Index i = 0; i < table.cols(); ++i) {
    const auto device = static_cast<NodeId>(table(0, i));
    const auto signature = bytes_of<Signature>(table.col(i).tail(survivors_record - 1));
    if (std::ranges::binary_search(survivors.answered, device) && signers.insert(device).second &&
        reader.has_signed(device, purpose, said, signature)) {
      continue;
    }
    fail(ErrorCategory::BadData,
         "device {} has not signed that the total is of these {} answers: somebody tells devices different "
         "things, to see what one of them has; nothing was unmasked",
         device, survivors.answered.size());
  }
  reader.checked.add(arrived);
}

}  // namespace choir
