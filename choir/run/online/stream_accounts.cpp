#include "choir/run/online/stream_accounts.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace choir {
namespace {

constexpr std::size_t quoted_at_most = 5;

std::string bad_words(std::uint64_t count, const std::vector<std::string>& first_bad) {
  if (count == 0) return {};
  std::string words = fmt::format("{} bad record{} skipped", count, count == 1 ? " was" : "s were");
  if (first_bad.empty()) return words;
  const auto end =
      first_bad.begin() + static_cast<std::ptrdiff_t>(std::min(first_bad.size(), quoted_at_most));
  return words + fmt::format("; {}: {}", count == 1 ? "it" : "the first ones",
                             fmt::join(first_bad.begin(), end, "; "));
}

}  // namespace

std::vector<StreamAccount> all_accounts(const std::vector<StreamAccount>& own, ProcessGroup& processes) {
  std::vector<StreamAccount> all;
  for (const auto& accounts : processes.tell_all(Kind::summaries, own))
    all.insert(all.end(), accounts.begin(), accounts.end());
  std::ranges::sort(all, {}, &StreamAccount::node);
  return all;
}

void describe_streams(const std::vector<StreamAccount>& accounts, const std::vector<std::string>& first_bad,
                      Result& result) {
  std::vector<std::uint64_t> bad;
  std::vector<std::uint64_t> lost;
  std::uint64_t all_bad = 0;
  std::uint64_t all_lost = 0;
  for (const StreamAccount& account : accounts) {
    bad.push_back(account.bad_records);
    lost.push_back(account.lost_samples);
    all_bad += account.bad_records;
    all_lost += account.lost_samples;
  }
  result.facts.set("bad_records", bad).set("lost_samples", lost);
  for (const std::string& words : {bad_words(all_bad, first_bad), lost_words(all_lost)}) {
    if (!words.empty()) add_notes({words}, result);
  }
}

std::string lost_words(std::uint64_t samples) {
  if (samples == 0) return {};
  return fmt::format(
      "{} record{} that {} received from pipes after the last checkpoints of earlier processes {} lost; what "
      "was in the pipes when these ended, and what was written before new pipes began, is not counted",
      samples, samples == 1 ? "" : "s", samples == 1 ? "was" : "were", samples == 1 ? "is" : "are");
}

}  // namespace choir
