#include "choir/run/privacy_charge.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/crypto/random_word.h"
#include "choir/crypto/sha256.h"
#include "choir/learn/privacy/gaussian_privacy.h"
#include "choir/report/circumstances.h"
#include "choir/run/privacy_budget.h"

namespace choir {
namespace {

double cost_of(const PrivacyOptions& asked) { return largest_rho(*asked.epsilon, asked.delta); }

std::optional<PrivacyBudget> budget_of(const PrivacySettings& privacy) {
  if (privacy.budget.empty()) return std::nullopt;
  std::optional<PrivacyLimit> limit;
  if (privacy.limit) limit = PrivacyLimit{.epsilon = *privacy.limit, .delta = privacy.asked.delta};
  return PrivacyBudget(privacy.budget, limit);
}

// The same at all processes, and new to each of them: a run is not charged twice to one file, and nobody can
// pass a new run off as one that was charged.
std::string name_of_run(ProcessGroup& processes) {
  std::string words;
  for (const std::string& word : processes.tell_all(Kind::options, random_word())) words += word;
  return sha256(std::as_bytes(std::span(words))).substr(0, 32);
}

std::string uncounted_words(const std::vector<bool>& has_budget) {
  const auto without = std::ranges::count(has_budget, false);
  if (without == 0) return {};
  const std::string where =
      has_budget.size() == 1 ? "" : fmt::format("at {} of {} processes ", without, has_budget.size());
  return fmt::format(
      "{}nothing adds up what this run and other runs over the same data cost together; use --privacy-budget "
      "FILE",
      where);
}

std::string budget_words(const PrivacySettings& privacy) {
  const PrivacyAccount account = budget_of(privacy)->account();
  const PrivacyLimit& limit = account.limit;
  const double with_this = zcdp_epsilon(limit.delta, account.rho + cost_of(privacy.asked));
  return fmt::format("{}: epsilon {:.4g} of {:.4g} spent (delta {}); {}", privacy.budget, account.epsilon(),
                     limit.epsilon, limit.delta,
                     with_this <= limit.epsilon
                         ? fmt::format("with this run {:.4g}", with_this)
                         : fmt::format("this run would make it {:.4g} and would be refused", with_this));
}

}  // namespace

void require_privacy_settings(const Settings& settings) {
  const PrivacyOptions& asked = settings.privacy.asked;
  if (!asked.wanted()) {
    for (const char* name : {"delta", "clip", "privacy-budget", "privacy-limit"}) {
      if (!settings.was_given(name)) continue;
      fail(ErrorCategory::InvalidArgument,
           "--{} belongs to --privacy; add --privacy EPSILON, or leave it out", name);
    }
    return;
  }
  validate(asked);
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) fail(ErrorCategory::InvalidArgument, "{} cannot be combined with --privacy: {}", option, why);
  };
  refuse(
      settings.was_given("lost-peers") && settings.network.lost_peers != LostPeers::fail,
      "--lost-peers continue",
      "the noise of a lost node would be missing from the totals; leave it out, and run again if a node is "
      "lost");
  refuse(settings.network.yardsticks, "--yardsticks",
         "it compares with answers from all samples without noise; leave it out, and compare on public data");
  refuse(settings.network.keep_samples, "--keep-samples",
         "models and pages would carry samples; leave it out");
  refuse(settings.data.by.starts_with("label:"), "--by label",
         "labels would decide how many samples a node has, which is public; distribute the data beforehand, "
         "or leave it out");
  refuse(!settings.data.select_labels.empty(), "--select-labels",
         "labels would decide how many samples there are, which is public; select them beforehand, or leave "
         "it out");
  refuse(!settings.data.categorical.empty(), "--categorical",
         "which categories there are, and how often, would be told without noise; make one-hot columns of "
         "public "
         "categories beforehand");
  refuse(settings.data.missing != Missing::error, "--missing",
         "means, and how many rows there are, would be told without noise; fill cells beforehand");
  refuse(settings.was_given("resume"), "--resume",
         "the states of an earlier run were not charged with this one; leave it out and begin anew");
  if (settings.privacy.limit && settings.privacy.budget.empty()) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "--privacy-limit is the limit of a new budget file; name the file with --privacy-budget FILE");
  }
}

PrivacyCharge charge_privacy(const MethodInfo& info, const Settings& settings, ProcessGroup& processes) {
  const PrivacySettings& privacy = settings.privacy;
  const double rho = cost_of(privacy.asked);
  const std::string run = name_of_run(processes);
  const auto has_budget = processes.tell_all(Kind::options, !privacy.budget.empty());
  // First all look, so that a budget that is used up at one process costs the others nothing.
  auto budget = processes.together([&] {
    auto mine = budget_of(privacy);
    if (mine) mine->require_room(rho);
    return mine;
  });
  processes.together([&] {
    if (!budget) return;
    budget->charge(rho, run,
                   fmt::format("{} {}, epsilon {}, delta {}", time_now(), info.name, *privacy.asked.epsilon,
                               privacy.asked.delta));
  });
  return {.rho = rho, .uncounted = uncounted_words({has_budget.begin(), has_budget.end()})};
}

std::vector<std::string> privacy_words(const Settings& settings) {
  const PrivacySettings& privacy = settings.privacy;
  std::vector<std::string> lines = {
      fmt::format("epsilon {}, delta {} for each sample, if one is replaced by another",
                  *privacy.asked.epsilon, privacy.asked.delta),
      fmt::format("costs rho = {:.4g} of zero-concentrated differential privacy", cost_of(privacy.asked))};
  lines.push_back(privacy.budget.empty() ? uncounted_words({false}) : budget_words(privacy));
  return lines;
}

std::string words_of(const Release& release) {
  return fmt::format("{}: noise of standard deviation {:.4g}, rho {:.4g}", release.what, release.sigma(),
                     release.rho);
}

}  // namespace choir
