#include "choir/learn/federated_kmeans/fea.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/base/rng.h"

namespace choir::federated_kmeans {

double fea_step(Index t) { return std::min(1.0, 2.0 / static_cast<double>(t)); }

double fea_threshold(const Vector& eigenvalues, Index rank) {
  return rank < eigenvalues.size() ? std::max(0.0, eigenvalues(rank)) : 0;
}

Matrix shrunk_map(const EigenPairs& spectrum, const FeaShrinkage& shrinkage) {
  const double threshold = shrinkage.eta * shrinkage.lambda;
  const Index most = std::min(shrinkage.rank, spectrum.values.size());
  Index kept = 0;
  while (kept < most && spectrum.values(kept) > threshold) ++kept;
  if (kept == 0) {
    fail(ErrorCategory::Numerical,
         "no eigenvalue is above {}, so that nothing is left of the embedding; choose a larger rank, or more "
         "random features",
         threshold);
  }
  const Vector shrunk = (1 - threshold / spectrum.values.head(kept).array()).sqrt();
  return spectrum.vectors.leftCols(kept) * shrunk.asDiagonal();
}

RandomFeaturesOptions fea_draw(Index count, std::uint64_t seed, Index t) {
  Rng rng(seed, Purpose("federated-kmeans features"), 0, static_cast<std::uint64_t>(t));
  return {.count = count, .seed = rng.bits()};
}

std::vector<FeatureStage> central_fea(const Samples& samples, const Kernel& kernel,
                                      const CentralFeaOptions& options) {
  std::vector<FeatureStage> stages;
  double lambda = options.lambda;
  Matrix b(0, samples.cols());
  for (Index t = 1; t <= options.iterations; ++t) {
    const Index draw = options.one_draw ? 1 : t;
    FeatureStage stage{.random = fea_draw(options.random_features, options.seed, draw), .eta = fea_step(t)};
    const auto drawn = RandomFeatures::draw(kernel, samples.rows(), stage.random);
    const Matrix w = stage_input(stage.eta, drawn.transform(samples), b);
    const EigenPairs spectrum = eigen_symmetric<double>(w * w.transpose());
    if (t == 1 && options.lambda == 0) lambda = fea_threshold(spectrum.values, options.rank);
    stage.map = shrunk_map(spectrum, {.eta = stage.eta, .lambda = lambda, .rank = options.rank});
    b = stage.map.transpose() * w;
    stages.push_back(std::move(stage));
    if (options.observe) options.observe(t, b);
  }
  return stages;
}

}  // namespace choir::federated_kmeans
