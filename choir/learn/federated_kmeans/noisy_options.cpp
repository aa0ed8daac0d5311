#include "choir/learn/federated_kmeans/noisy_options.h"

#include "choir/base/error.h"

namespace choir::federated_kmeans {
namespace {

void refuse_if(bool wrong, const char* words) {
  if (wrong) throw Error(ErrorCategory::InvalidArgument, words);
}

void validate_noisy_sums(const Options& options) {
  refuse_if(options.coordination != Coordination::server,
            "--coordination gossip is not available with --privacy: neighbours would see shares of single "
            "nodes; use a server");
  refuse_if(
      !uses_masks(options),
      "--masks off is not available with --privacy: the server would see the answers of single devices, "
      "whose own noise hides no sample; use --masks on");
}

void validate_noisy_embedding(const Options& options) {
  refuse_if(options.embedding == Embedding::nystroem,
            "--embedding nystroem is not available with --privacy: its landmarks are made of samples; use "
            "--embedding random-features");
  refuse_if(
      options.embedding == Embedding::fea,
      "--embedding fea is not available with --privacy: each of its iterations would take a part of the "
      "budget; use --embedding random-features");
  const KernelKind kind = options.kernel.kind;
  refuse_if(kind != KernelKind::rbf && kind != KernelKind::laplacian,
            "--privacy needs a kernel with random features of length 1: use --kernel rbf or laplacian");
  refuse_if(options.n_features % 2 != 0,
            "--n-features is odd: with --privacy random features have length 1, for which each cosine needs "
            "its sine; use an even number");
  refuse_if(options.gamma.rule != GammaRule::number,
            "--gamma scale and --gamma median are not available with --privacy: they look at all samples; "
            "choose a number, such as --gamma 0.02");
  refuse_if(options.preprocessing.standardize == Standardize::zscore,
            "--standardize zscore is not available with --privacy: it looks at all samples; use --divide, or "
            "--standardize unit");
}

void validate_noisy_search(const Options& options) {
  refuse_if(!options.n_clusters,
            "--n-clusters auto is not available with --privacy: silhouettes would have to be charged; choose "
            "a number");
  refuse_if(options.restarts.value_or(1) != 1,
            "--restarts is not available with --privacy: every restart would take a part of the budget; omit "
            "it");
  refuse_if(options.rank.has_value(),
            "--rank is not available with --privacy: eigenvectors of a sum over samples would have to be "
            "charged; choose --n-features instead");
  refuse_if(options.eigen_route != EigenRoute::cheapest,
            "--eigen-route is not available with --privacy: nothing needs eigenvectors then; omit it");
}

}  // namespace

Options with_noisy_defaults(Options options, const Chosen& chosen) {
  const Options usual;
  if (!chosen.embedding && options.embedding == usual.embedding)
    options.embedding = Embedding::random_features;
  if (!chosen.n_features && options.n_features == usual.n_features)
    options.n_features = default_noisy_features;
  if (!chosen.max_iter && options.max_iter == usual.max_iter) options.max_iter = default_noisy_rounds;
  return options;
}

void validate_noisy(const Options& options) {
  validate(options.privacy);
  if (!options.privacy.wanted()) return;
  validate_noisy_sums(options);
  validate_noisy_embedding(options);
  validate_noisy_search(options);
}

}  // namespace choir::federated_kmeans
