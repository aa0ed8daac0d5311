// The conductor's way to an embedding: what devices have in common, and eigenvectors of a sum over them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/kernel/nystroem.h"
#include "choir/learn/federated_kmeans/cela.h"
#include "choir/learn/federated_kmeans/conduct.h"
#include "choir/learn/federated_kmeans/fea.h"
#include "choir/learn/federated_kmeans/nystroem.h"

namespace choir::federated_kmeans {

Task<void> Conductor::embed(const CountedCentroids& published) {
  switch (options_.embedding) {
    case Embedding::nystroem:
      co_await embed_by_landmarks(published);
      break;
    case Embedding::fea:
      co_await embed_by_fea();
      break;
    case Embedding::random_features:
      co_await embed_by_random_features();
      break;
  }
}

// Z by weighted k-means, K_ZZ = U S U', W' = R'k_Z(x) with R = U S^-1/2, b = V'W'.
Task<void> Conductor::embed_by_landmarks(const CountedCentroids& published) {
  const Kind kind = kind_of_centroids(options_.min_count);
  Matrix mine =
      landmarks_from(published, options_.n_landmarks, seed_for(Purpose("federated-kmeans landmarks")));
  Matrix points = co_await devices_.settle(std::move(mine), kind);
  const NystroemFeatures features(devices_.listener().model().kernel, points);
  Matrix whitening = co_await devices_.settle(features.whitening(), Kind::coefficients);
  const Index size = whitening.cols();
  devices_.tell(landmarks_statement(std::move(points), std::move(whitening), kind));
  const EigenPairs spectrum = co_await eigenpairs(size, embedding_rank(options_));
  tell_leading(spectrum);
}

Task<void> Conductor::embed_by_random_features() {
  devices_.tell(stage_statement(fea_draw(options_.n_features, circumstances_.seed, 1), 1));
  const EigenPairs spectrum = co_await eigenpairs(options_.n_features, embedding_rank(options_));
  tell_leading(spectrum);
}

// W' = [sqrt(eta) z ; sqrt(1 - eta) b], sum W'W = V s V', b <- diag(sqrt(1 - eta lambda / s)) V'W'.
Task<void> Conductor::embed_by_fea() {
  const Index rank = embedding_rank(options_);
  double lambda = 0;
  double samples = 0;  // behind lambda
  Index before = 0;
  for (Index t = 1; t <= options_.fea_iterations; ++t) {
    node_.watch().report("fea", t, options_.fea_iterations);
    const double eta = fea_step(t);
    devices_.tell(stage_statement(fea_draw(options_.n_features, circumstances_.seed, t), eta));
    const EigenPairs spectrum = co_await eigenpairs(options_.n_features + before, t == 1 ? rank + 1 : rank);
    if (t == 1) {
      lambda = fea_threshold(spectrum.values, rank);
      samples = devices_.samples();
    }
    const double scaled = lambda * (devices_.samples() / samples);  // there may be newcomers
    Matrix map = shrunk_map(spectrum, {.eta = eta, .lambda = scaled, .rank = rank});
    before = map.cols();
    devices_.tell(map_statement(std::move(map)));
  }
}

// b = V'W'; without a server b = V V'W', which is nearly the same at nodes whose V is, whatever its basis.
void Conductor::tell_leading(const EigenPairs& spectrum) {
  const Matrix leading =
      spectrum.vectors.leftCols(std::min(embedding_rank(options_), spectrum.vectors.cols()));
  const bool free_of_basis = options_.coordination == Coordination::gossip;
  devices_.tell(map_statement(free_of_basis ? Matrix(leading * leading.transpose()) : leading));
}

void Conductor::note_route(EigenRoute route, Index size) {
  if (result_.route == route) return;
  result_.route = route;
  const Index rank = embedding_rank(options_);
  result_.route_words = fmt::format(
      "eigenvectors by {}: a device sends and receives {:.0f} numbers for those of a {} x {} sum by gram, "
      "{:.0f} "
      "by capped-cela, at most {:.0f} by cela",
      to_string(route), numbers_sent(EigenRoute::gram, size, rank), size, size,
      numbers_sent(EigenRoute::capped_cela, size, rank), numbers_sent(EigenRoute::cela, size, rank));
}

Task<EigenPairs> Conductor::eigenpairs(Index size, Index wanted) {
  const bool server = options_.coordination == Coordination::server;
  const EigenRoute route =
      server ? chosen_route(options_.eigen_route, size, embedding_rank(options_)) : EigenRoute::gram;
  note_route(route, size);
  const Index possible = std::min(size, wanted);
  EigenPairs pairs;
  if (route == EigenRoute::gram) {
    pairs = co_await eigenpairs_of_gram(size, possible);
  } else {
    pairs = co_await eigenpairs_by_products(size, possible, route);
  }
  ++round_;
  co_return pairs;
}

Task<EigenPairs> Conductor::eigenpairs_of_gram(Index size, Index wanted) {
  const AnswerShape shape{.rows = size * (size + 1) / 2, .cols = 1, .bound = bound(1)};
  const Message question = gram_question(round_);
  const Matrix packed = co_await sum("gram", question, shape);
  EigenPairs pairs = eigen_symmetric<double>(unpacked_gram(packed.col(0), size));
  pairs.values.conservativeResize(wanted);
  pairs.vectors.conservativeResize(Eigen::NoChange, wanted);
  co_return pairs;
}

Task<EigenPairs> Conductor::eigenpairs_by_products(Index size, Index wanted, EigenRoute route) {
  const bool capped = route == EigenRoute::capped_cela;
  const CelaRule rule{.wanted = wanted,
                      .most = capped ? capped_products(size, embedding_rank(options_)) : Index{0}};
  Cela lanczos(size, rule, seed_for(Purpose("federated-kmeans cela")));
  const AnswerShape shape{.rows = size, .cols = 1, .bound = bound(1)};
  const double samples = devices_.samples();  // newcomers make it larger, and all products are of one matrix
  while (!lanczos.finished()) {
    const Message question = product_question(lanczos.vector(), round_);
    const Matrix product = co_await sum("product", question, shape);
    lanczos.absorb(product.col(0) * (samples / devices_.samples()));
  }
  co_return lanczos.result();
}

}  // namespace choir::federated_kmeans
