#include "choir/learn/federated_kmeans/noisy_rounds.h"

#include <cmath>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir::federated_kmeans {

NoisyRounds::NoisyRounds(const Options& options, Index devices)
    : options_(options), plan_(options.privacy, devices) {}

Index NoisyRounds::left() const { return 1 + options_.max_iter - asked_; }

NoisyWords NoisyRounds::begin(NodeId device, Index columns) {
  const auto server = static_cast<NodeId>(plan_.nodes());  // the node after the devices
  if (left() == 0) {
    fail(ErrorCategory::PeerLost,
         "the server, node {}, asked device {} for one total more than the {} that the privacy budget of "
         "this run is split over (--max-iter rounds, and the mean); nothing was answered. Check that all "
         "nodes have the same options",
         server, device, asked_);
  }
  const bool mean = asked_ == 0;
  const Index expected = mean ? 1 : *options_.n_clusters;
  if (columns != expected) {
    fail(
        ErrorCategory::PeerLost,
        "the server, node {}, asked device {} for a noisy total of {} clusters where {} {} next; nothing was "
        "answered. Check that all nodes have the same options",
        server, device, columns, expected, expected == 1 ? "is" : "are");
  }
  const double share = mean ? share_of_mean : (1 - share_of_mean) / static_cast<double>(options_.max_iter);
  const Release release =
      plan_.release(mean ? "mean of all features" : fmt::format("sums of clusters, round {}", asked_),
                    noisy_sums_sensitivity, share);
  ++asked_;
  return {release, plan_.share_of_variance(), (options_.n_features + 1) * columns};
}

double NoisyRounds::deviation() const {
  return last().sigma() * std::sqrt(static_cast<double>(plan_.nodes()) * plan_.share_of_variance());
}

std::vector<Release> noisy_releases(const Options& options, Index devices) {
  NoisyRounds rounds(options, devices);
  rounds.begin(0, 1);
  while (rounds.left() > 0) rounds.begin(0, *options.n_clusters);
  return rounds.report().releases;
}

PrivacyReport NoisyRounds::report() const {
  PrivacyReport report = report_of(options_.privacy, plan_);
  report.left_out = {
      "cluster of each sample: apply the model where the samples are",
      "comparison with labels, and sizes of clusters but for noisy ones",
      "inertia and silhouette: each would have to be charged",
  };
  report.limitations = {
      "a sample that is not finite ends the run, which shows that there is one",
  };
  return report;
}

}  // namespace choir::federated_kmeans
