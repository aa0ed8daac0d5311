#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/learn/alignment/alignment.h"

namespace choir {
namespace {

constexpr std::size_t missing_named_at_most = 3;

// A key as a sentence can hold it.
std::string shown(std::string_view key) {
  constexpr std::size_t longest = 40;
  return key.size() > longest ? fmt::format("{:?}...", key.substr(0, longest)) : fmt::format("{:?}", key);
}

[[noreturn]] void refuse_missing(const std::vector<std::string_view>& missing, std::size_t wanted,
                                 const std::string& source) {
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(missing.size(), missing_named_at_most); ++i)
    named.push_back(shown(missing[i]));
  const std::string more = missing.size() > missing_named_at_most
                               ? fmt::format(" and {} more", missing.size() - missing_named_at_most)
                               : "";
  fail(ErrorCategory::BadData,
       "{} has no sample for {} of {} keys: {}{}; add these samples, or omit these keys at all parties",
       source, missing.size(), wanted, fmt::join(named, ", "), more);
}

}  // namespace

std::vector<Index> positions_of(const std::vector<std::string>& wanted, const std::vector<std::string>& keys,
                                const std::string& source) {
  std::unordered_map<std::string_view, Index> places;
  for (Index n = 0; const std::string& key : keys) {
    const auto [place, is_new] = places.emplace(key, n);
    if (!is_new) {
      fail(ErrorCategory::BadData,
           "{} has the key {} twice, for samples {} and {}; every sample needs its own key", source,
           shown(key), place->second + 1, n + 1);
    }
    ++n;
  }
  std::vector<Index> positions;
  std::vector<std::string_view> missing;
  for (const std::string& key : wanted) {
    const auto found = places.find(key);
    if (found == places.end()) {
      missing.push_back(key);
    } else {
      positions.push_back(found->second);
    }
  }
  if (!missing.empty()) refuse_missing(missing, wanted.size(), source);
  return positions;
}

}  // namespace choir
