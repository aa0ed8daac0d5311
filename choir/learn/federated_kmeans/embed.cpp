// The conductor's way to an embedding: what devices have in common, and eigenvectors of a sum over them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/kernel/nystroem.h"
#include "choir/learn/components.h"
#include "choir/learn/federated_kmeans/cela.h"
#include "choir/learn/federated_kmeans/conduct.h"
#include "choir/learn/federated_kmeans/fea.h"
#include "choir/learn/federated_kmeans/nystroem.h"

namespace choir::federated_kmeans {
namespace {

// S with S S' = sum b b' / N in the basis of eigenvectors.
Matrix spread_of(const Vector& eigenvalues, double samples) {
  return (eigenvalues.cwiseMax(0) / samples).cwiseSqrt().asDiagonal();
}

}  // namespace

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
  const Spectrum found = co_await spectrum(size, embedding_rank(options_));
  co_await tell_leading(found);
}

Task<void> Conductor::embed_by_random_features() {
  devices_.tell(stage_statement(fea_draw(options_.n_features, circumstances_.seed, 1), 1));
  const Spectrum found = co_await spectrum(options_.n_features, embedding_rank(options_));
  co_await tell_leading(found);
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
    Spectrum found = co_await spectrum(options_.n_features + before, t == 1 ? rank + 1 : rank);
    const EigenPairs& leading = found.leading;
    if (t == 1) {
      lambda = fea_threshold(leading.values, rank);
      samples = devices_.samples();
    }
    const double scaled = lambda * (devices_.samples() / samples);  // there may be newcomers
    Matrix map = shrunk_map(leading, {.eta = eta, .lambda = scaled, .rank = rank});
    before = map.cols();
    devices_.tell(map_statement(std::move(map)));
    const Vector kept = leading.values.head(before).array() - eta * scaled;
    spread_ = spread_of(kept, devices_.samples());
    found.trace.reset();  // of a mixture of features and the last embedding
    note_kept(kept, found);
  }
}

// b = V'W'; without a server b = V V'W', which is nearly the same at nodes whose V is, whatever its basis.
Task<void> Conductor::tell_leading(const Spectrum& spectrum) {
  const Vector& values = spectrum.leading.values;
  Index mine = std::min(embedding_rank(options_), values.size());
  if (ranks_by_trace(options_)) {
    mine = components_that_explain(kept_trace, values, *spectrum.trace).value_or(values.size());
  }
  const Matrix settled =
      co_await devices_.settle(Matrix::Constant(1, 1, static_cast<double>(mine)), Kind::control);
  const auto rank = static_cast<Index>(settled(0, 0));
  const Matrix leading = spectrum.leading.vectors.leftCols(rank);
  const bool free_of_basis = options_.coordination == Coordination::gossip;
  spread_ = spread_of(values.head(rank), devices_.samples());
  if (free_of_basis) spread_ = leading * spread_;
  devices_.tell(map_statement(free_of_basis ? Matrix(leading * leading.transpose()) : leading));
  note_kept(values.head(rank), spectrum);
}

void Conductor::note_kept(const Vector& kept, const Spectrum& spectrum) {
  if (!(spectrum.kernel_trace > 0)) return;  // no shares of a kernel without positive values on its diagonal
  result_.kept = KeptTrace{.rank = kept.size(), .of_kernel = kept.sum() / spectrum.kernel_trace};
  if (spectrum.trace) result_.kept->of_features = kept.sum() / *spectrum.trace;
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

Task<Conductor::Spectrum> Conductor::spectrum(Index size, Index wanted) {
  const bool server = options_.coordination == Coordination::server;
  const EigenRoute route =
      server ? chosen_route(options_.eigen_route, size, embedding_rank(options_)) : EigenRoute::gram;
  note_route(route, size);
  const Index possible = std::min(size, wanted);
  Spectrum found;
  const bool unit = bound(1).has_value();  // k(x, x) = 1
  const bool fea = options_.embedding == Embedding::fea;
  same_round_ = false;
  if (!fea && (!unit || route != EigenRoute::gram)) co_await ask_for_traces(found);
  if (route == EigenRoute::gram) {
    co_await ask_for_gram(size, possible, found);
  } else {
    co_await ask_for_products(size, possible, route, found);
  }
  if (unit) found.kernel_trace = devices_.samples();  // not before: newcomers are taken in with a question
  ++round_;
  co_return found;
}

Task<void> Conductor::ask_for_traces(Spectrum& found) {
  const Message question = trace_question(round_);
  const AnswerShape shape{.rows = 2, .cols = 1, .bound = bound(1)};
  const Matrix traces = co_await sum("trace", question, shape);
  found.kernel_trace = traces(0, 0);
  found.trace = traces(1, 0);
  same_round_ = true;
}

Task<void> Conductor::ask_for_gram(Index size, Index wanted, Spectrum& found) {
  const AnswerShape shape{
      .rows = size * (size + 1) / 2, .cols = 1, .bound = bound(1), .same_round = same_round_};
  const Message question = gram_question(round_);
  const Matrix packed = co_await sum("gram", question, shape);
  const Matrix gram = unpacked_gram(packed.col(0), size);
  found.trace = gram.trace();
  found.leading = eigen_symmetric<double>(gram);
  found.leading.values.conservativeResize(wanted);
  found.leading.vectors.conservativeResize(Eigen::NoChange, wanted);
}

Task<void> Conductor::ask_for_products(Index size, Index wanted, EigenRoute route, Spectrum& found) {
  const bool capped = route == EigenRoute::capped_cela;
  const CelaRule rule{.wanted = wanted,
                      .most = capped ? capped_products(size, embedding_rank(options_)) : Index{0}};
  Cela lanczos(size, rule, seed_for(Purpose("federated-kmeans cela")));
  const double samples = devices_.samples();  // newcomers make it larger, and all products are of one matrix
  while (!lanczos.finished()) {
    const AnswerShape shape{.rows = size, .cols = 1, .bound = bound(1), .same_round = same_round_};
    const Message question = product_question(lanczos.vector(), round_);
    const Matrix product = co_await sum("product", question, shape);
    lanczos.absorb(product.col(0) * (samples / devices_.samples()));
    same_round_ = true;
  }
  found.leading = lanczos.result();
}

}  // namespace choir::federated_kmeans
