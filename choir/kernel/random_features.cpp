#include "choir/kernel/random_features.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/base/rng.h"
#include "choir/kernel/simd/column_functions.h"
#include "choir/linalg/qr.h"

namespace choir {
namespace {

constexpr Index mapped_at_once = 256;

Matrix normal_matrix(Index rows, Index columns, Rng& rng) {
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

// Orthonormal columns, uniform among all such: the Q of a Gaussian matrix whose R has a positive diagonal.
Matrix random_rotation(Index rows, Index columns, Rng& rng) {
  return thin_qr<double>(normal_matrix(rows, columns, rng)).q;
}

// Columns are marginally N(0, I).
Matrix orthogonal_frequencies(Index features, Index count, std::uint64_t seed) {
  Matrix frequencies(features, count);
  for (Index first = 0; first < count; first += features) {
    Rng rng(seed, Purpose("random feature directions"), static_cast<std::uint64_t>(first / features));
    const Index columns = std::min(features, count - first);
    frequencies.middleCols(first, columns) = random_rotation(features, columns, rng);
  }
  Rng lengths(seed, Purpose("random feature lengths"));
  for (Index j = 0; j < count; ++j) frequencies.col(j) *= lengths.chi(features);
  return frequencies;
}

Matrix frequencies_of(const Kernel& kernel, Index features, const RandomFeaturesOptions& options) {
  const Index count = (options.count + 1) / 2;
  if (kernel.kind == KernelKind::rbf && options.orthogonal) {
    return std::sqrt(2 * kernel.gamma) * orthogonal_frequencies(features, count, options.seed);
  }
  Rng rng(options.seed, Purpose("random feature frequencies"));
  if (kernel.kind == KernelKind::rbf) {
    return std::sqrt(2 * kernel.gamma) * normal_matrix(features, count, rng);
  }
  if (kernel.kind == KernelKind::laplacian) {  // a ratio of normals is Cauchy
    const Matrix above = normal_matrix(features, count, rng);
    return kernel.gamma * above.cwiseQuotient(normal_matrix(features, count, rng));
  }
  fail(ErrorCategory::InvalidArgument,
       "the {} kernel has no random Fourier features; use rbf or laplacian, or Nystroem features",
       to_string(kernel.kind));
}

// Every frequency once with its cosine and once with its sine; one that is left over gets a random phase, so
// that its products are right on average, too.
Vector phases_of(Index count, std::uint64_t seed) {
  const Index pairs = count / 2;
  Vector phases = Vector::Zero(count);
  phases.tail(pairs).setConstant(-std::numbers::pi / 2);
  if (count % 2 == 1) {
    phases(pairs) = Rng(seed, Purpose("random feature phases")).uniform(0, 2 * std::numbers::pi);
  }
  return phases;
}

}  // namespace

RandomFeatures RandomFeatures::draw(const Kernel& kernel, Index features,
                                    const RandomFeaturesOptions& options) {
  validate(kernel);
  if (features < 1 || options.count < 1) {
    fail(ErrorCategory::InvalidArgument,
         "{} random features of samples with {} features were requested; both must be at least 1",
         options.count, features);
  }
  RandomFeatures result;
  result.frequencies_ = frequencies_of(kernel, features, options);
  result.phases_ = phases_of(options.count, options.seed);
  return result;
}

Matrix RandomFeatures::transform(const MatrixView<double>& samples, int threads) const {
  if (samples.rows() != frequencies_.rows()) {
    fail(ErrorCategory::InvalidArgument, "the samples have {} features; these random features are for {}",
         samples.rows(), frequencies_.rows());
  }
  const auto& functions = column_functions<double>();
  const Index count = phases_.size();
  const Index drawn = frequencies_.cols();
  const double factor = std::sqrt(2 / static_cast<double>(count));
  Matrix result(count, samples.cols());
  const Index blocks = (samples.cols() + mapped_at_once - 1) / mapped_at_once;
  parallel_for(blocks, threads, [&](Index block) {
    const Index first = block * mapped_at_once;
    const Index columns = std::min(mapped_at_once, samples.cols() - first);
    result.block(0, first, drawn, columns).noalias() =
        frequencies_.transpose() * samples.middleCols(first, columns);
    result.block(drawn, first, count - drawn, columns) = result.block(0, first, count - drawn, columns);
    for (Index j = first; j < first + columns; ++j) {
      functions.cosine(count, result.col(j).data(), phases_.data(), factor);
    }
  });
  return result;
}

}  // namespace choir
