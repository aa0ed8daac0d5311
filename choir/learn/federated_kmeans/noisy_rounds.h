// How a run under differential privacy spends its budget: a total of all samples' features, then a fixed
// number of rounds of k-means, each one total. The server and every device keep this plan for themselves, and
// a device answers nothing that is not in its own.
//
//   NoisyRounds rounds(options, devices);
//   const NoisyWords noise = rounds.begin(device, columns);       // throws if it is not the next
//   rounds.report();                                                  // what was promised, and spent
//
// A total has a column for each centre: the sum of the features z(x) of the samples nearest to it, |z| <= 1,
// and how many these are. If one sample is replaced by another, its features leave one column and the other's
// enter one:
//
//   another column:  |z|^2 + |z'|^2 + (-1)^2 + 1^2 <= 4
//   the same column: |z - z'|^2 <= 4, and the number stays
//
// so the sensitivity of all entries together is 2, and the counts cost nothing.
#pragma once

#include <vector>

#include "choir/base/types.h"
#include "choir/learn/federated_kmeans/options.h"
#include "choir/learn/privacy/noisy_words.h"
#include "choir/learn/privacy/privacy_plan.h"
#include "choir/learn/privacy/privacy_report.h"

namespace choir::federated_kmeans {

inline constexpr double noisy_sums_sensitivity = 2;
inline constexpr double share_of_mean = 0.1;  // of the budget; the rounds have equal parts of what is left

class NoisyRounds {
 public:
  // Throws Error(InvalidArgument) for options without differential privacy.
  NoisyRounds(const Options& options, Index devices);

  Index asked() const { return asked_; }  // totals so far
  Index left() const;
  // The next total has one column, the mean's, or as many as there are clusters. Throws Error(PeerLost) that
  // names the server if it asks for more totals than there are, or for other columns.
  NoisyWords begin(NodeId device, Index columns);
  const Release& last() const { return plan_.releases().back(); }  // that was begun
  // Of the noise in each entry of its total: of all devices, more than what those who are not in league add.
  double deviation() const;

  PrivacyReport report() const;  // of the totals so far

 private:
  Options options_;
  PrivacyPlan plan_;
  Index asked_ = 0;
};

// All of a run, as they are known before it.
std::vector<Release> noisy_releases(const Options& options, Index devices);

}  // namespace choir::federated_kmeans
