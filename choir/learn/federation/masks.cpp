#include "choir/learn/federation/masks.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "choir/base/error.h"
#include "choir/crypto/key_stream.h"
#include "choir/runtime/blocks/secure_sum/shamir.h"

namespace choir {
namespace {

constexpr Index seed_words = words_in(stream_seed_bytes);
static_assert(key_record == 1 + seed_words);  // tables of keys and of seeds look the same

// One of the two adds what the other takes away.
Sign sign_at(NodeId self, NodeId other) { return self < other ? Sign::plus : Sign::minus; }
Sign opposite(Sign sign) { return sign == Sign::plus ? Sign::minus : Sign::plus; }

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

void DeviceMasks::learn(const SignedRoster& roster) {
  pairs_.learn(roster, roster.nodes());
  roster_ = roster.nodes();
  roster_hash_ = roster.hash();
  const Words& keys = roster.records();
  partners_ = MaskPartners::from_keys(WordsView(keys.data(), keys.rows(), keys.cols()));
}

void DeviceMasks::hide(std::span<std::int64_t> words, std::uint64_t number, std::vector<NodeId> asked) {
  const NodeId self = pairs_.self();
  if (number <= attempt_.number || !has(asked, self)) {
    fail(ErrorCategory::BadData,
         "node {} refuses a masked answer to attempt {} after attempt {}, or to an attempt that does not ask "
         "it: a mask is used only once",
         self, number, attempt_.number);
  }
  for (const NodeId other : asked) {
    if (has(roster_, other)) continue;
    fail(ErrorCategory::BadData,
         "node {} is to mask an answer together with device {}, which has signed no key: somebody invents "
         "devices, to be alone with its answer; nothing was answered",
         self, other);
  }
  std::vector<NodeId> partners = partners_.of(self, asked);
  attempt_ = {.number = number,
              .asked = std::move(asked),
              .partners = std::move(partners),
              .own_seed = Secret::random(stream_seed_bytes),
              .revealed = false};
  add_stream(attempt_.own_seed, as_unsigned(words), Sign::plus);
  pairs_.hide(words, number, attempt_.partners);
}

std::optional<Survivors> DeviceMasks::agree(std::uint64_t number, const std::vector<NodeId>& answered,
                                            Index min_devices) {
  const NodeId self = pairs_.self();
  if (number != attempt_.number || attempt_.survivors || !has(answered, self)) return std::nullopt;
  if (std::ssize(answered) < min_devices || !std::ranges::includes(attempt_.asked, answered)) {
    fail(ErrorCategory::BadData,
         "node {} refuses to unmask a total: {} answers of {} requested, at least {} required", self,
         answered.size(), attempt_.asked.size(), min_devices);
  }
  const Index present =
      std::ranges::count_if(attempt_.partners, [&](NodeId other) { return has(answered, other); });
  if (present < std::min(min_devices - 1, (std::ssize(attempt_.partners) + 1) / 2)) return std::nullopt;
  attempt_.survivors =
      Survivors{.number = number, .asked = attempt_.asked, .answered = answered, .roster = roster_hash_};
  return attempt_.survivors;
}

const Survivors* DeviceMasks::agreed(std::uint64_t number) const {
  const bool waits = number == attempt_.number && attempt_.survivors && !attempt_.revealed;
  return waits ? &*attempt_.survivors : nullptr;
}

Words DeviceMasks::reveal_shared() {
  std::vector<NodeId> silent;
  std::ranges::set_difference(attempt_.partners, attempt_.survivors.value().answered,
                              std::back_inserter(silent));
  Words seeds(key_record, std::ssize(silent));
  for (Index i = 0; i < std::ssize(silent); ++i) {
    const NodeId other = silent[static_cast<std::size_t>(i)];
    seeds.col(i) = record_of(other, pairs_.seed_with(other, attempt_.number).bytes());
  }
  return seeds;
}

Words DeviceMasks::reveal_own() {
  attempt_.revealed = true;
  return record_of(pairs_.self(), attempt_.own_seed.bytes());
}

// One way for what one deals to the other, and another way for the opposite.
void DeviceMasks::seal_or_open(Words& words, NodeId dealer, NodeId holder) {
  const NodeId other = dealer == pairs_.self() ? holder : dealer;
  const char* purpose = dealer < holder ? "share of the lower" : "share of the higher";
  const Secret pad = pairs_.secret_with(other, purpose, attempt_.number);
  const Words mask = words_of(pad.bytes());
  for (Index i = 0; i < words.size(); ++i) words(i) ^= mask(i);
}

Words DeviceMasks::dealt() {
  const Index partners = std::ssize(attempt_.partners);
  const std::optional<Index> threshold = share_threshold(partners, std::ssize(attempt_.asked), roster_size());
  if (!threshold) return Words(key_record, 0);
  const std::vector<Secret> shares =
      shares_of(attempt_.own_seed, {.holders = partners, .threshold = *threshold});
  Words table(key_record, partners);
  for (Index i = 0; i < partners; ++i) {
    const NodeId holder = attempt_.partners[static_cast<std::size_t>(i)];
    Words words = words_of(shares[static_cast<std::size_t>(i)].bytes());
    seal_or_open(words, pairs_.self(), holder);
    table.col(i) << holder, words;
  }
  return table;
}

std::optional<Words> DeviceMasks::shares_for(std::uint64_t number, const WordsView& sealed) {
  if (number != attempt_.number || !attempt_.revealed) return std::nullopt;
  Words shares(key_record, sealed.cols());
  for (Index i = 0; i < sealed.cols(); ++i) {
    const auto dealer = static_cast<NodeId>(sealed(0, i));
    if (!has(attempt_.survivors.value().answered, dealer) || !has(attempt_.partners, dealer)) {
      fail(ErrorCategory::BadData,
           "node {} was asked for its share of the mask of device {}, whose answer is not in the total; the "
           "mask must stay",
           pairs_.self(), dealer);
    }
    Words words = sealed.col(i).tail(seed_words);
    seal_or_open(words, dealer, pairs_.self());
    shares.col(i) << dealer, words;
  }
  return shares;
}

std::optional<Index> share_threshold(Index partners, Index asked, Index roster) {
  const bool complete = partners + 1 == asked;
  const Index threshold = complete ? quorum(asked, roster) : quorum(partners + 1, partners + 1);
  if (threshold > partners) return std::nullopt;
  return threshold;
}

Words seed_from_shares(NodeId lost, const std::vector<NodeId>& partners,
                       const std::map<NodeId, Words>& shares, Index threshold) {
  std::vector<std::pair<Index, Secret>> of_holders;
  for (const auto& [holder, record] : shares) {
    const auto place = std::ranges::lower_bound(partners, holder);
    if (place == partners.end() || *place != holder || record(0) != lost) {
      fail(ErrorCategory::BadData, "node {} sent a share of another mask than that of device {}", holder,
           lost);
    }
    if (std::ssize(of_holders) < threshold) {
      const WordsView view(record.data(), record.rows(), record.cols());
      of_holders.emplace_back(place - partners.begin(), seed_in(view, 0));
    }
  }
  return record_of(lost, secret_from(of_holders).bytes());
}

void remove_masks(std::span<std::int64_t> total, NodeId device, const WordsView& seeds,
                  const std::vector<NodeId>& silent_partners) {
  std::vector<NodeId> expected = {device};
  expected.insert(expected.end(), silent_partners.begin(), silent_partners.end());
  if (!std::ranges::equal(expected, seeds.row(0))) {
    fail(ErrorCategory::BadData, "node {} sent {} seeds; its own and those of {} silent nodes were requested",
         device, seeds.cols(), silent_partners.size());
  }
  add_stream(seed_in(seeds, 0), as_unsigned(total), Sign::minus);
  for (Index i = 1; i < seeds.cols(); ++i) {
    const Sign sign = sign_at(device, static_cast<NodeId>(seeds(0, i)));
    add_stream(seed_in(seeds, i), as_unsigned(total), opposite(sign));
  }
}

}  // namespace choir
