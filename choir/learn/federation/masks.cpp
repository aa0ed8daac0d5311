#include "choir/learn/federation/masks.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/crypto/agreed_secret.h"
#include "choir/crypto/key_stream.h"

namespace choir {
namespace {

constexpr Index seed_words = words_in(stream_seed_bytes);
static_assert(key_record == 1 + seed_words);  // tables of keys and of seeds look the same

std::span<std::uint64_t> as_unsigned(std::span<std::int64_t> words) {
  return {reinterpret_cast<std::uint64_t*>(words.data()), words.size()};
}

// One of the two adds what the other takes away.
Sign sign_at(NodeId self, NodeId other) { return self < other ? Sign::plus : Sign::minus; }
Sign opposite(Sign sign) { return sign == Sign::plus ? Sign::minus : Sign::plus; }

Words record_of(NodeId device, std::span<const std::byte> bytes) {
  Words record(key_record, 1);
  record << device, words_of(bytes);
  return record;
}

Secret seed_in(const WordsView& table, Index column) {
  using Seed = std::array<std::byte, stream_seed_bytes>;
  const auto bytes = bytes_of<Seed>(table.col(column).tail(seed_words));
  Secret seed(bytes.size());
  std::ranges::copy(bytes, seed.bytes().begin());
  return seed;
}

bool has(const std::vector<NodeId>& devices, NodeId device) {
  return std::ranges::binary_search(devices, device);
}

}  // namespace

Words DeviceMasks::introduction() const { return record_of(self_, keys_.public_key); }

void DeviceMasks::learn(const WordsView& table) {
  for (Index i = 0; i < table.cols(); ++i) {
    const auto device = static_cast<NodeId>(table(0, i));
    const auto key = bytes_of<PublicKey>(table.col(i).tail(key_record - 1));
    const auto known = peers_.find(device);
    const PublicKey* expected = device == self_ ? &keys_.public_key : nullptr;
    if (known != peers_.end()) expected = &known->second.key;
    if (expected && *expected != key) {
      fail(ErrorCategory::BadData,
           "node {} received a public key of node {} that differs from the known one; somebody changes keys "
           "in transit",
           self_, device);
    }
    if (!expected)
      peers_.emplace(device, Peer{key, agreed_secret(keys_, key, "federation: pair of devices")});
  }
}

Secret DeviceMasks::shared_seed(NodeId other) const {
  const auto peer = peers_.find(other);
  if (peer == peers_.end()) {
    fail(ErrorCategory::BadData,
         "node {} is to share a mask with node {}, whose public key it never received", self_, other);
  }
  return derived_secret(peer->second.agreed, "federation: mask of an attempt", attempt_.number);
}

void DeviceMasks::hide(std::span<std::int64_t> words, std::uint64_t number, std::vector<NodeId> asked) {
  if (number <= attempt_.number || !has(asked, self_)) {
    fail(ErrorCategory::BadData,
         "node {} refuses a masked answer to attempt {} after attempt {}, or to an attempt that does not ask "
         "it: a mask is used only once",
         self_, number, attempt_.number);
  }
  attempt_ = {number, std::move(asked), Secret::random(stream_seed_bytes), false};
  add_stream(attempt_.own_seed, as_unsigned(words), Sign::plus);
  for (const NodeId other : attempt_.asked) {
    if (other != self_) add_stream(shared_seed(other), as_unsigned(words), sign_at(self_, other));
  }
}

std::optional<Words> DeviceMasks::reveal(std::uint64_t number, const std::vector<NodeId>& answered,
                                         Index min_devices) {
  if (number != attempt_.number || attempt_.revealed || !has(answered, self_)) return std::nullopt;
  if (std::ssize(answered) < min_devices || !std::ranges::includes(attempt_.asked, answered)) {
    fail(ErrorCategory::BadData,
         "node {} refuses to unmask a total: {} answers of {} requested, at least {} required", self_,
         answered.size(), attempt_.asked.size(), min_devices);
  }
  attempt_.revealed = true;
  std::vector<NodeId> silent;
  std::ranges::set_difference(attempt_.asked, answered, std::back_inserter(silent));
  Words seeds(key_record, 1 + std::ssize(silent));
  seeds.col(0) = record_of(self_, attempt_.own_seed.bytes());
  for (Index i = 0; i < std::ssize(silent); ++i) {
    const NodeId other = silent[static_cast<std::size_t>(i)];
    seeds.col(1 + i) = record_of(other, shared_seed(other).bytes());
  }
  return seeds;
}

void remove_masks(std::span<std::int64_t> total, NodeId device, const WordsView& seeds,
                  const std::vector<NodeId>& silent) {
  std::vector<NodeId> expected = {device};
  expected.insert(expected.end(), silent.begin(), silent.end());
  if (!std::ranges::equal(expected, seeds.row(0))) {
    fail(ErrorCategory::BadData, "node {} sent {} seeds; its own and those of {} silent nodes were requested",
         device, seeds.cols(), silent.size());
  }
  add_stream(seed_in(seeds, 0), as_unsigned(total), Sign::minus);
  for (Index i = 1; i < seeds.cols(); ++i) {
    const Sign sign = sign_at(device, static_cast<NodeId>(seeds(0, i)));
    add_stream(seed_in(seeds, i), as_unsigned(total), opposite(sign));
  }
}

void add_words(std::span<std::int64_t> total, std::span<const std::int64_t> words) {
  const std::span<std::uint64_t> sum = as_unsigned(total);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<std::uint64_t>(words[i]);
}

}  // namespace choir
