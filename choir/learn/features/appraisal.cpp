#include "choir/learn/features/appraisal.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/kernel/nystroem.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

constexpr int halves = 2;
constexpr double counted_error = 0.25;    // of the error of random features
constexpr double half_tolerance = 1e-10;  // of an eigensolver whose answer is compared to two digits
constexpr Index most_looked_at = 1000;    // samples of a node, whose kernel matrix is held

std::vector<Index> random_half(Index count, Rng& random) {
  std::vector<Index> half = random.choose((count + 1) / 2, count);
  std::ranges::sort(half);
  return half;
}

EigenPairs leading_pairs(const Matrix& covariance, Index columns) {
  const Index count = std::min(columns, covariance.cols());
  return top_eigenpairs(DenseOperator(covariance), {.count = count, .tol = half_tolerance});
}

// The answer from some of the landmarks, in the features of all of them: m x G.
Matrix answer_of_some(const Kernel& kernel, const SharedLandmarks& landmarks, const std::vector<Index>& some,
                      const Matrix& covariance, Index columns) {
  const auto points = landmarks.points.matrix();
  const Matrix chosen = points(Eigen::all, some);
  const NystroemFeatures features(kernel, chosen);
  // <phi(z), e_a> of chosen landmarks and the features' directions: K_hZ R, and so e' of what the chosen ones
  // span
  const Matrix products = gram<double>(kernel, chosen, points) * landmarks.whitening.matrix();
  const Matrix map = products.transpose() * features.whitening();  // m x m_h
  return map * leading_pairs(map.transpose() * covariance * map, columns).vectors;
}

// Cosine and sine of the same frequencies stay together: feature i belongs to frequency i mod ceil(m/2).
std::vector<Index> features_of_half(Index count, Rng& random) {
  const Index frequencies = (count + 1) / 2;
  std::vector<Index> features;
  for (const Index frequency : random_half(frequencies, random)) {
    features.push_back(frequency);
    if (frequency + frequencies < count) features.push_back(frequency + frequencies);
  }
  return features;
}

// Some columns of two matrices that belong together, evenly spaced, and the kernel of the first.
struct SomeSamples {
  Matrix psi;
  Matrix kernel;
};

SomeSamples some_samples(const Kernel& kernel, const MatrixView<double>& samples,
                         const MatrixView<double>& psi) {
  const Index all = samples.cols();
  const Index looked_at = std::min(all, most_looked_at);
  std::vector<Index> chosen;
  for (Index i = 0; i < looked_at; ++i) chosen.push_back(i * all / looked_at);
  const Matrix some = samples(Eigen::all, chosen);
  return {.psi = psi(Eigen::all, chosen), .kernel = gram<double>(kernel, some, some)};
}

Vector claims_of_some_features(const std::vector<Index>& some, const Matrix& covariance,
                               const GuardedAnswer& answer) {
  const Matrix columns = covariance(Eigen::all, some);
  const Matrix inner = columns(some, Eigen::all);
  const EigenPairs other = leading_pairs(inner, answer.variances.size());
  return claims_from_scores(answer, answer.directions.transpose() * columns * other.vectors, other.values);
}

// One row per frequency, zero where a last one has no sine.
struct WaveParts {
  Matrix cosines;
  Matrix sines;

  explicit WaveParts(const Matrix& directions) : cosines(directions.topRows((directions.rows() + 1) / 2)) {
    sines = Matrix::Zero(cosines.rows(), cosines.cols());
    const Index others = directions.rows() - cosines.rows();
    sines.topRows(others) = directions.bottomRows(others);
  }
  Vector products(Index a, Index b) const {
    return cosines.col(a).cwiseProduct(cosines.col(b)) + sines.col(a).cwiseProduct(sines.col(b));
  }
};

// Mean square that centring leaves off the diagonal of a symmetric N x N matrix whose other entries are
// independent, of variance 1: that of C S C for S = e_i e_j' + e_j e_i', less its diagonal's.
double left_by_centring(double samples) {
  const double u = 1 / samples;
  return (1 - u) * (1 - u) * (1 - 4 * u * u) + u * u - 2 * u * u * u * (1 - 2 * u);
}

// What chance may have turned component a towards b: tangent of the angle, squared.
double squared_turn(const WaveParts& parts, const Vector& variances, Index a, Index b) {
  const double coupling = variances(a) * variances(b) * parts.products(a, b).squaredNorm();
  const Vector differences = variances(a) * parts.products(a, a) - variances(b) * parts.products(b, b);
  const double mean_square = differences.sum() * differences.sum() / static_cast<double>(differences.size());
  const double deviation = std::sqrt(std::max(0.0, differences.squaredNorm() - mean_square));
  const double gap = std::abs(variances(a) - variances(b)) - deviation;
  return gap * gap > coupling && gap > 0 ? coupling / (gap * gap) : 1;  // two that may be any mixture
}

}  // namespace

bool is_inner_product(const Kernel& kernel) {
  return kernel.kind != KernelKind::sigmoid && !(kernel.kind == KernelKind::poly && kernel.coef0 < 0);
}

void require_variances(const Kernel& kernel, const ComponentChoice& choice) {
  if (is_inner_product(kernel) || !choice.by_fraction()) return;
  fail(ErrorCategory::InvalidArgument,
       "n_components is a share of variance, which the {} kernel does not have: it is no inner product; give "
       "n_components as a number, or choose another kernel",
       to_string(kernel.kind));
}

Vector claims_from_halves(const FeatureMap& map, const Matrix& covariance, const GuardedAnswer& answer,
                          Rng random) {
  if (map.reduction) {  // as if it had been found in all random features
    const Matrix whole = map.lifted(map.lifted(covariance).transpose());
    const GuardedAnswer same{
        .directions = map.lifted(answer.directions), .variances = answer.variances, .kept = answer.kept};
    return claims_from_halves({.kernel = map.kernel, .random = map.random}, whole, same, random);
  }
  Vector claims = Vector::Ones(answer.kept);
  for (int half = 0; half < halves; ++half) {
    Vector found;
    if (map.landmarks) {
      const std::vector<Index> some = random_half(map.landmarks->points.columns(), random);
      found = claims_from_subspace(
          answer, answer_of_some(map.kernel, *map.landmarks, some, covariance, answer.variances.size()));
    } else {
      found = claims_of_some_features(features_of_half(covariance.cols(), random), covariance, answer);
    }
    claims = claims.cwiseMin(found);
  }
  if (!map.landmarks) return claims.cwiseMin(claims_from_frequencies(answer));
  if (is_inner_product(map.kernel)) return claims;
  return claims.cwiseMin(claims_despite_negative_part(map.kernel, map.landmarks->points.matrix(), answer));
}

Vector claims_despite_negative_part(const Kernel& kernel, const MatrixView<double>& landmarks,
                                    const GuardedAnswer& answer) {
  Matrix whole = gram<double>(kernel, landmarks, landmarks);
  const EigenPairs pairs = eigen_symmetric<double>(whole);
  Matrix positive = pairs.vectors * pairs.values.cwiseMax(0).asDiagonal() * pairs.vectors.transpose();
  centre_block(whole);
  centre_block(positive);
  const Index columns = std::min(answer.variances.size(), whole.cols());
  if (columns < answer.kept) return Vector::Zero(answer.kept);
  const GuardedAnswer found{.directions = eigen_symmetric<double>(positive).vectors.leftCols(columns),
                            .variances = answer.variances.head(columns),
                            .kept = answer.kept};
  return claims_from_subspace(found, eigen_symmetric<double>(whole).vectors.leftCols(columns));
}

double negative_share(const Kernel& kernel, const MatrixView<double>& points) {
  const Vector values = eigen_symmetric<double>(gram<double>(kernel, points, points)).values;
  const double magnitudes = values.cwiseAbs().sum();
  return magnitudes > 0 ? -values.cwiseMin(0).sum() / magnitudes : 0;
}

std::string words_of_negative_part(const Kernel& kernel, const MatrixView<double>& landmarks) {
  return fmt::format(
      "the {} kernel is no inner product on these samples: negative eigenvalues are {:.1f}% of its matrix of "
      "the landmarks; the components are those of its positive part",
      to_string(kernel.kind), 100 * negative_share(kernel, landmarks));
}

Vector claims_from_frequencies(const GuardedAnswer& answer) {
  const WaveParts parts(answer.directions);
  Vector claims(answer.kept);
  for (Index a = 0; a < answer.kept; ++a) {
    double turned = 0;
    for (Index b = 0; b < answer.variances.size(); ++b) {
      if (b != a) turned += squared_turn(parts, answer.variances, a, b);
    }
    claims(a) = 1 / std::sqrt(1 + turned);
  }
  return claims;
}

ResidualSums missed_by_landmarks(const GuardedAnswer& answer, const Vector& mean, const Matrix& psi,
                                 const Matrix& kernel) {
  const Matrix scores = (psi.colwise() - mean).transpose() * answer.directions;
  return residual_sums(scores, kernel - psi.transpose() * psi);
}

ResidualSums missed_of_some(const Kernel& kernel, const GuardedAnswer& answer, const Vector& mean,
                            const MatrixView<double>& samples, const MatrixView<double>& psi) {
  if (samples.cols() == 0) return residual_sums(Matrix(0, answer.directions.cols()), Matrix(0, 0));
  const SomeSamples some = some_samples(kernel, samples, psi);
  ResidualSums sums = missed_by_landmarks(answer, mean, some.psi, some.kernel);
  sums.own *= static_cast<double>(samples.cols()) / sums.samples;
  sums.samples = static_cast<double>(samples.cols());
  const Vector lengths = psi.colwise().squaredNorm();
  sums.peaks = peaks_of(gram_diagonal<double>(kernel, samples) - lengths);
  return sums;
}

Vector claims_from_sums(const GuardedAnswer& answer, const Matrix& sums, const Vector& halves_claims) {
  const ResidualSums all = ResidualSums::unpacked(sums);
  return claims_from_residual(answer, residual_gram(all), missed_variance(all)).cwiseMin(halves_claims);
}

double share_from_sums(const GuardedAnswer& answer, const Matrix& sums) {
  const ResidualSums all = ResidualSums::unpacked(sums);
  return captured_share(answer, residual_gram(all), missed_variance(all));
}

Task<AgreedClaims> agreed_claims(Node& node, SecureSums& sums, GuardedAnswer answer, ResidualSums mine,
                                 Vector halves_claims) {
  Matrix packed = mine.packed();
  const Matrix sum = co_await secure_sum(node, sums, std::move(packed));
  AgreedClaims claims{.similarity = claims_from_sums(answer, sum, halves_claims),
                      .captured_share = share_from_sums(answer, sum)};
  co_return claims;
}

std::string advice_of_landmarks(Index landmarks, Index samples) {
  if (landmarks >= samples) return "lower --gamma";
  return fmt::format("raise --n-landmarks above {}, or lower --gamma", landmarks);
}

Matrix kernel_error_sums(const Matrix& psi, const Matrix& kernel) {
  Matrix sums = Matrix::Zero(2, 1);
  if (psi.cols() < 2) return sums;
  Matrix errors = psi.transpose() * psi - kernel;
  centre_block(errors);
  errors.diagonal().setZero();
  const auto samples = static_cast<double>(psi.cols());
  sums << errors.squaredNorm() / left_by_centring(samples), samples * (samples - 1);
  return sums;
}

Matrix kernel_error_of_some(const Kernel& kernel, const MatrixView<double>& samples,
                            const MatrixView<double>& psi) {
  if (samples.cols() == 0) return Matrix::Zero(2, 1);
  const SomeSamples some = some_samples(kernel, samples, psi);
  return kernel_error_sums(some.psi, some.kernel);
}

double kernel_error(const Matrix& sums) { return sums(1, 0) > 0 ? std::sqrt(sums(0, 0) / sums(1, 0)) : 0; }

double cautious_kernel_error(const Matrix& sums, Index features) {
  const double largest = largest_kernel_error(features);
  // Two standard deviations. Independent pairs, each counted twice, would deviate by 1 / sqrt(pairs);
  // centring makes those of a small node depend on each other.
  constexpr double allowance = 2 * 2;
  const double pairs = sums(1, 0);
  if (!(pairs > 0)) return largest;
  const double shown = kernel_error(sums);
  return std::max(shown, std::min(largest, shown * (1 + allowance / std::sqrt(pairs))));
}

double largest_kernel_error(Index features) { return 1 / std::sqrt(static_cast<double>(features)); }

Task<double> agreed_kernel_error(Node& node, SecureSums& sums, const Matrix& psi, const Matrix& kernel) {
  Matrix mine = kernel_error_sums(psi, kernel);
  const Matrix all = co_await secure_sum(node, sums, std::move(mine));
  co_return cautious_kernel_error(all, psi.rows());
}

Vector claims_despite_error(const Vector& variances, double error) {
  return variances.unaryExpr([&](double variance) {
    if (!(variance > 0)) return 0.0;
    const double tilt = counted_error * error / variance;
    return 1 / std::sqrt(1 + tilt * tilt);
  });
}

}  // namespace choir
