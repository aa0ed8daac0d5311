#include "choir/experiment/online_kernel/mixture.h"

#include <cmath>
#include <numbers>

namespace choir {
namespace {

constexpr Purpose means_purpose("online-experiment-means");

}  // namespace

GaussianMixture::GaussianMixture(std::uint64_t seed) : means_(2, class_count * gaussians) {
  Rng random(seed, means_purpose);
  for (Index column = 0; column < means_.cols(); ++column) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(column / gaussians) / class_count;
    means_(0, column) = std::cos(angle) + random.normal();
    means_(1, column) = std::sin(angle) + random.normal();
  }
}

double GaussianMixture::draw(Eigen::Ref<Vector> sample, Rng& random) const {
  const auto gaussian = static_cast<Index>(random.below(static_cast<std::uint64_t>(means_.cols())));
  for (Index row = 0; row < 2; ++row) sample(row) = means_(row, gaussian) + deviation * random.normal();
  return static_cast<double>(gaussian / gaussians);
}

TargetedSamples GaussianMixture::draw(Index count, std::uint64_t seed, Purpose purpose) const {
  Rng random(seed, purpose);
  TargetedSamples drawn{.samples = Samples(2, count), .targets = Vector(count)};
  for (Index n = 0; n < count; ++n) drawn.targets(n) = draw(drawn.samples.col(n), random);
  return drawn;
}

Index GaussianMixture::most_likely(const VectorView<double>& sample) const {
  const Eigen::RowVectorXd squares = (means_.colwise() - sample).colwise().squaredNorm();
  const double nearest = squares.minCoeff();  // subtracted, so that no class of a far sample underflows
  Vector likelihood = Vector::Zero(class_count);
  for (Index column = 0; column < means_.cols(); ++column) {
    likelihood(column / gaussians) += std::exp((nearest - squares(column)) / (2 * deviation * deviation));
  }
  Index best = 0;
  likelihood.maxCoeff(&best);
  return best;
}

double GaussianMixture::bayes_accuracy(const TargetedSamples& samples) const {
  Index right = 0;
  for (Index n = 0; n < samples.targets.size(); ++n) {
    if (static_cast<double>(most_likely(samples.samples.col(n))) == samples.targets(n)) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(samples.targets.size());
}

}  // namespace choir
