#include "choir/runtime/blocks/secure_sum/signed_roster.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "choir/base/error.h"

namespace choir {
namespace {

// A signature here is none for anything else that a node may sign.
std::string signed_as(std::string_view purpose) { return "record of a roster: " + std::string(purpose); }

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

void require_signed(const WordsView& signed_record, const Identity& reader, std::string_view purpose) {
  const auto owner = static_cast<NodeId>(signed_record(0));
  const Words content = signed_record.topRows(signed_record.rows() - signature_words);
  const auto signature = bytes_of<Signature>(signed_record.col(0).tail(signature_words));
  if (reader.has_signed(owner, signed_as(purpose), bytes_in(content), signature)) return;
  fail(ErrorCategory::BadData,
       "a public key arrived as that of node {}, which has not signed it: somebody on its way replaces keys, "
       "to read what is masked with them; nothing was sent under it",
       owner);
}

// Ascending.
std::vector<NodeId> nodes_in(const Words& sorted, std::size_t all) {
  std::vector<NodeId> nodes;
  for (const std::int64_t id : sorted.row(0)) {
    if (id < 0 || static_cast<std::size_t>(id) >= all)
      fail(ErrorCategory::BadData, "a public key arrived as that of node {}, but nodes are 0 to {}", id,
           all - 1);
    if (!nodes.empty() && id == nodes.back())
      fail(ErrorCategory::BadData, "two public keys arrived as that of node {}", id);
    nodes.push_back(static_cast<NodeId>(id));
  }
  return nodes;
}

void require_enough(const std::vector<NodeId>& nodes, std::size_t all, std::size_t least) {
  if (nodes.size() >= least) return;
  NodeId first = 0;
  while (std::ranges::binary_search(nodes, first)) ++first;
  fail(ErrorCategory::PeerLost,
       "the public keys of {} of {} nodes are missing, the first that of node {}, so no sum can be masked, "
       "and "
       "nothing was sent; run again with the nodes that are there",
       all - nodes.size(), all, first);
}

}  // namespace

Words in_order_of_nodes(const WordsView& table) {
  std::vector<Index> columns(static_cast<std::size_t>(table.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  std::ranges::stable_sort(columns, {}, [&](Index column) { return table(0, column); });
  return table(Eigen::all, columns);
}

Words signed_record(const Identity& owner, const Words& record, std::string_view purpose) {
  const Signature signature = owner.key.sign(signed_as(purpose), bytes_in(record));
  Words both(record.rows() + signature_words, 1);
  both << record, words_of(signature);
  return both;
}

SignedRoster::SignedRoster(const WordsView& table, const Identity& reader, std::string_view purpose,
                           std::size_t least) {
  if (table.rows() <= 1 + signature_words) {
    fail(ErrorCategory::BadData,
         "signed keys arrived with {} words each; check that all nodes run the same choir", table.rows());
  }
  const Words sorted = in_order_of_nodes(table);
  nodes_ = nodes_in(sorted, reader.everybody.size());
  require_enough(nodes_, reader.everybody.size(), least);
  const Hash arrived = fingerprint(signed_as(purpose), bytes_in(sorted));
  if (!reader.checked.has(arrived)) {
    for (Index i = 0; i < sorted.cols(); ++i)
      require_signed(WordsView(sorted.col(i).data(), sorted.rows(), 1), reader, purpose);
    reader.checked.add(arrived);
  }
  records_ = sorted.topRows(sorted.rows() - signature_words);
  std::vector<std::byte> everything;
  append(everything, std::as_bytes(std::span(purpose)));
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    append(everything, reader.everybody[static_cast<std::size_t>(nodes_[i])]);
    append(everything, bytes_in(records_.col(static_cast<Index>(i))));
  }
  hash_ = fingerprint("roster", everything);
}

}  // namespace choir
