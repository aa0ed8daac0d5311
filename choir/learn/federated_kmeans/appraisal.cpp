#include "choir/learn/federated_kmeans/appraisal.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace choir::federated_kmeans {
namespace {

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

// What an embedding is chosen from, and which option makes more of it.
const char* source_of(const Options& options) {
  return options.embedding == Embedding::nystroem ? "landmarks" : "random features";
}
const char* size_option(const Options& options) {
  return options.embedding == Embedding::nystroem ? "--n-landmarks" : "--n-features";
}

void call_weak_embedding(const KeptTrace& kept, const Options& options, std::vector<std::string>& weak) {
  if (kept.of_features && *kept.of_features < weak_share_of_features) {
    weak.push_back(
        fmt::format("the embedding keeps {} of what its {} carry, and clusters may lie in the rest; raise "
                    "--rank, or use --rank auto",
                    percent(*kept.of_features), source_of(options)));
  } else if (kept.of_kernel < weak_share_of_kernel) {
    weak.push_back(fmt::format(
        "the embedding keeps {} of the kernel's trace, so its distances say little about the kernel's; raise "
        "{}, or choose a smaller --gamma",
        percent(kept.of_kernel), size_option(options)));
  }
}

void call_empty_clusters(const std::vector<Index>& sizes, std::vector<std::string>& weak) {
  std::vector<std::size_t> empty;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] == 0) empty.push_back(c);
  }
  if (empty.empty()) return;
  weak.push_back(fmt::format("cluster{} {} {} no samples; ask for fewer clusters (--n-clusters)",
                             empty.size() == 1 ? "" : "s", fmt::join(empty, ", "),
                             empty.size() == 1 ? "has" : "have"));
}

void call_unclear_number(const Findings& findings, std::vector<std::string>& weak) {
  const std::vector<TriedClusters>& tried = findings.tried;
  const auto is_chosen = [&](const TriedClusters& one) {
    return one.clusters == static_cast<Index>(findings.cluster_sizes.size());
  };
  const auto chosen = std::ranges::find_if(tried, is_chosen);
  if (tried.size() < 2 || chosen == tried.end()) return;
  const bool leads = std::ranges::all_of(tried, [&](const TriedClusters& one) {
    const bool next = std::abs(one.clusters - chosen->clusters) == 1;
    return !next || chosen->silhouette >= one.silhouette + clear_lead;
  });
  const bool last = std::next(chosen) == tried.end();
  if (leads && !last) return;
  weak.push_back(fmt::format(
      "the silhouette of {} clusters is the largest, but {}, so it does not say how many clusters there are; "
      "{}",
      chosen->clusters, last ? "no more were tried" : "hardly larger than that of one cluster more or fewer",
      last ? "raise --max-clusters, or use --n-clusters K" : "use --n-clusters K"));
}

}  // namespace

Assessment assess(const Findings& findings, const Options& options) {
  Assessment assessment;
  std::vector<std::string>& weak = assessment.weaknesses;
  if (findings.kept) call_weak_embedding(*findings.kept, options, weak);
  call_empty_clusters(findings.cluster_sizes, weak);
  if (findings.silhouette && *findings.silhouette < weak_silhouette) {
    weak.push_back(fmt::format(
        "the clusters are hardly apart: their silhouette is {:.3f}, where 1 is far apart and 0 not at all; "
        "choose another --gamma or --n-clusters, or take it that there are no clusters",
        *findings.silhouette));
  }
  if (findings.unfinished_swaps) {
    weak.push_back(
        "k-means may have missed its optimum: moving single centres elsewhere still lowered the cost when "
        "the limit of such moves was reached; raise --restarts");
  }
  call_unclear_number(findings, weak);
  return assessment;
}

std::string appraisal_words(const Findings& findings) {
  std::vector<std::string> words;
  if (findings.kept) {
    words.push_back(fmt::format("an embedding of {} numbers per sample keeps {} of the kernel's trace",
                                findings.dimension, percent(findings.kept->of_kernel)));
  }
  if (findings.silhouette) words.push_back(fmt::format("silhouette {:.3f}", *findings.silhouette));
  return words.empty() ? "" : fmt::format("{}\n", fmt::join(words, "; "));
}

std::string rank_words(const Findings& findings, const Options& options) {
  if (!ranks_by_trace(options) || !findings.kept || !findings.kept->of_features) return {};
  return fmt::format(
      "--rank auto: {} eigenvectors keep {} of what the {} carry, which is {} of the kernel's trace",
      findings.kept->rank, percent(*findings.kept->of_features), source_of(options),
      percent(findings.kept->of_kernel));
}

std::string tried_words(const Findings& findings) {
  if (findings.tried.empty()) return {};
  std::vector<std::string> each;
  for (const TriedClusters& tried : findings.tried) {
    each.push_back(fmt::format("{}: {:.3f}", tried.clusters, tried.silhouette));
  }
  return fmt::format("--n-clusters auto: {}, by the silhouettes {}", findings.cluster_sizes.size(),
                     fmt::join(each, ", "));
}

}  // namespace choir::federated_kmeans
