#include "choir/learn/central/local_kpca.h"

#include <algorithm>
#include <utility>

#include "choir/kernel/gram.h"
#include "choir/learn/agreement/agreement.h"

namespace choir {
namespace {

// The eigensolver's basis and its image: blocks of a few columns more than components.
double columns_of_eigensolver(const ComponentChoice& components) {
  constexpr double blocks = 14;
  constexpr double guard = 4;
  const Index count = components.by_fraction() ? components.max_count : components.count;
  return 2 * blocks * (static_cast<double>(count) + guard);
}

// The shard and its copy in the model.
std::uint64_t bytes_of_samples(Index features, Index samples) {
  return static_cast<std::uint64_t>(2 * 8 * static_cast<double>(samples) * static_cast<double>(features));
}

// The kernel matrix and what the eigensolver holds.
std::uint64_t bytes_of_fit(Index samples, const CentralKpcaOptions& options) {
  const auto n = static_cast<double>(samples);
  const bool single = options.precision == Precision::float32;
  const double triangle =
      single ? TriangularGram<float>::bytes_needed(samples) : TriangularGram<double>::bytes_needed(samples);
  const double kernel = options.storage == GramStorage::recomputed ? 0 : triangle;
  const double solver = 8 * n * std::min(2 * n, columns_of_eigensolver(options.components));
  return static_cast<std::uint64_t>(kernel + solver);
}

}  // namespace

Task<CentralKpca> local_kpca(Node& node, Samples shard, LocalKpcaOptions options) {
  const Preprocessing preprocessing = co_await agreed_preprocessing(node, options.preprocessing, shard);
  preprocessing.apply(shard);

  CentralKpcaOptions kpca = options.kpca;
  const bool asks_for_gamma = uses_gamma(kpca.kernel.kind);
  if (asks_for_gamma) kpca.kernel.gamma = co_await agreed_gamma(node, options.gamma, shard);

  kpca.threads = 1;
  kpca.watch.progress = {};
  kpca.watch.stop = node.stop_token();
  CentralKpca fit = central_kernel_pca(shard, kpca);
  fit.model.preprocessing = preprocessing;
  if (fit.note.empty() && asks_for_gamma && options.gamma.rule == GammaRule::median) fit.note = median_stand_in_note;
  co_return fit;
}

Contract local_kpca_contract(Index features, const std::function<Index(NodeId)>& samples,
                             const LocalKpcaOptions& options) {
  return {
      .method = "local-kpca",
      .kinds = {Kind::statistics},
      .links = Links::reliable,
      .memory = [features, samples](NodeId node) { return bytes_of_samples(features, samples(node)); },
      .scratch = [samples, kpca = options.kpca](NodeId node) { return bytes_of_fit(samples(node), kpca); }};
}

}  // namespace choir
