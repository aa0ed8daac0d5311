#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <string_view>

#include "choir/base/error.h"
#include "choir/crypto/keyed_hash.h"
#include "choir/learn/alignment/alignment.h"
#include "choir/learn/alignment/shared_secret.h"
#include "choir/runtime/blocks/secure_sum/words.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

using Keys = std::vector<std::string>;
constexpr Index hash_words = words_in(sizeof(Hash));

// By row, not by name: what a node program throws is told to the other parties.
void refuse_repeated_keys(NodeId node, const Keys& keys) {
  std::map<std::string_view, std::size_t> rows;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    const auto [first, is_new] = rows.emplace(keys[n], n);
    if (is_new) continue;
    fail(ErrorCategory::BadData,
         "samples {} and {} of node {} have the same key; every sample needs its own key", first->second + 1,
         n + 1, node);
  }
}

// By hash, so ascending.
std::map<Hash, std::string> hashed(const Secret& secret, const Keys& keys) {
  std::map<Hash, std::string> result;
  for (const std::string& key : keys) result.emplace(keyed_hash(secret, "key of a sample", {&key, 1}), key);
  return result;
}

Message to_message(const std::vector<Hash>& hashes) {
  Words table(hash_words, std::ssize(hashes));
  if (!hashes.empty()) std::memcpy(table.data(), hashes.data(), hashes.size() * sizeof(Hash));
  return table_message(std::move(table));
}

std::vector<Hash> to_hashes(const Message& message) {
  const WordsView table = table_of(message, hash_words);
  std::vector<Hash> hashes(static_cast<std::size_t>(table.cols()));
  if (!hashes.empty()) std::memcpy(hashes.data(), table.data(), hashes.size() * sizeof(Hash));
  if (!std::ranges::is_sorted(hashes)) {
    throw Error(ErrorCategory::BadData,
                "hashes of keys arrived out of order; check that all nodes run the same choir");
  }
  return hashes;
}

Message intersection(const Message& mine, const Message& child) {
  std::vector<Hash> both;
  std::ranges::set_intersection(to_hashes(mine), to_hashes(child), std::back_inserter(both));
  return to_message(both);
}

Keys keys_behind(const std::vector<Hash>& hashes, const std::map<Hash, std::string>& own) {
  Keys keys;
  for (const Hash& hash : hashes) {
    const auto found = own.find(hash);
    if (found == own.end()) {
      throw Error(
          ErrorCategory::BadData,
          "a key that not all parties have arrived as a common key; check that all nodes run the same choir");
    }
    keys.push_back(found->second);
  }
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

Task<Keys> common_keys(Node& node, Keys keys) {
  refuse_repeated_keys(node.id(), keys);
  const Secret secret = co_await shared_secret(node);
  const std::map<Hash, std::string> own = hashed(secret, keys);
  std::vector<Hash> hashes;
  for (const auto& [hash, key] : own) hashes.push_back(hash);
  const Message mine = to_message(hashes);
  const Combine combine = intersection;
  const Message common = co_await tree_fold(node, node.tree(), mine, combine);
  co_return keys_behind(to_hashes(common), own);
}

}  // namespace choir
