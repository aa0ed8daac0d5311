#include "choir/learn/oneshot_kpca/fused_kernel.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/kernel/comparison.h"
#include "choir/kernel/simd/column_functions.h"

namespace choir::oneshot_kpca {
namespace {

// W_j = (V L^1/2)', one column a sample: tiles of V L V' are products of neighbouring columns.
std::vector<Matrix> columns_of(const std::vector<KernelFactor>& factors) {
  std::vector<Matrix> columns;
  for (const KernelFactor& factor : factors) {
    const Vector roots = factor.values.cwiseSqrt();
    columns.push_back(roots.asDiagonal() * factor.vectors.transpose());
  }
  return columns;
}

template <class Part>
Matrix stacked(const std::vector<Part>& parts) {
  Index rows = 0;
  for (const Part& part : parts) rows += part.rows();
  Matrix all(rows, parts.front().cols());
  rows = 0;
  for (const Part& part : parts) {
    all.middleRows(rows, part.rows()) = part;
    rows += part.rows();
  }
  return all;
}

void require_same_samples(Index first, Index other) {
  if (first != other)
    fail(ErrorCategory::BadData, "one party sent factors of {} samples, another of {}", first, other);
}

using TileMap = Eigen::Map<Matrix>;

auto rows_of(const Matrix& columns, const Tile& tile) { return columns.middleCols(tile.row, tile.rows); }
auto columns_of(const Matrix& columns, const Tile& tile) {
  return columns.middleCols(tile.column, tile.columns);
}

void multiply(const Matrix& columns, const Tile& tile, Eigen::Ref<Matrix> out) {
  out.noalias() = rows_of(columns, tile).transpose() * columns_of(columns, tile);
}

// The tile's values times those of W_j'W_j.
void multiply_by(const Matrix& columns, const Tile& tile, double* out) {
  const Matrix rows = rows_of(columns, tile).transpose();
  const auto other = columns_of(columns, tile);
  column_functions<double>().times_products(columns.rows(), tile.rows, rows.data(), rows.rows(), tile.columns,
                                            other.data(), columns.rows(), out, tile.rows);
}

// What the parties' factors say of all samples together.
struct SampleGeometry {
  Matrix coordinates;  // Y stacked: sum of k x T
  Vector residuals;    // T
  Vector offsets;      // s - ||mu||^2 / 2: added for both samples of an inner product
  Vector lengths;      // x'x: T
};

template <class Factor>
bool nothing_left_out(const std::vector<Factor>& factors) {
  return std::ranges::all_of(factors, [](const Factor& factor) { return factor.dropped == 0; });
}

enum class Origin { zero, own_means };  // of inner products

SampleGeometry geometry_of(const std::vector<DistanceFactor>& factors, Origin origin = Origin::zero) {
  SampleGeometry all;
  std::vector<Matrix> parts;
  const Index samples = factors.front().residuals.size();
  all.residuals = Vector::Zero(samples);
  all.offsets = Vector::Zero(samples);
  for (const DistanceFactor& factor : factors) {
    require_same_samples(samples, factor.residuals.size());
    parts.push_back(factor.coordinates.transpose());
    all.residuals += factor.residuals;
    if (origin == Origin::zero) all.offsets.array() += factor.mean_products.array() - factor.mean_norm / 2;
  }
  all.coordinates = stacked(parts);
  const Vector centred_lengths = all.coordinates.colwise().squaredNorm().transpose() + all.residuals;
  all.lengths = centred_lengths + 2 * all.offsets;
  return all;
}

// Mercer kernels: all but tanh, and polynomials with a negative constant.
bool is_definite(const Kernel& kernel) {
  return kernel.kind != KernelKind::sigmoid && !(kernel.kind == KernelKind::poly && kernel.coef0 < 0);
}

// From inner products of coordinates to values of the kernel, a column of a tile at a time.
class TileFinisher {
 public:
  TileFinisher(const Kernel& kernel, const SampleGeometry& geometry)
      : kernel_(kernel),
        geometry_(geometry),
        distances_(geometry.coordinates.colwise().squaredNorm().transpose() + geometry.residuals) {
    if (scales_by_lengths(kernel)) factors_ = length_factors(kernel, geometry.lengths);
  }

  void operator()(const Tile& tile, double* out) const {
    multiply(geometry_.coordinates, tile, TileMap(out, tile.rows, tile.columns));
    for (Index j = 0; j < tile.columns; ++j) finish(tile, j, out + j * tile.rows);
  }

 private:
  void finish(const Tile& tile, Index j, double* column) const {
    const Index sample = tile.column + j;
    const bool on_diagonal = tile.row == tile.column;
    const auto& run = column_functions<double>();
    if (kernel_.kind == KernelKind::rbf) {
      run.rbf(tile.rows, column, distances_.data() + tile.row, distances_(sample), kernel_.gamma);
      if (on_diagonal) column[j] = 1;
      return;
    }
    Eigen::Map<Vector> values(column, tile.rows);
    values.array() += geometry_.offsets.segment(tile.row, tile.rows).array() + geometry_.offsets(sample);
    if (on_diagonal) column[j] = geometry_.lengths(sample);
    apply_function(kernel_, tile.rows, column);
    if (factors_.size() > 0) run.scale(tile.rows, column, factors_.data() + tile.row, factors_(sample));
  }

  const Kernel kernel_;
  const SampleGeometry& geometry_;
  const Vector distances_;  // squared, to the common mean
  Vector factors_;
};

// The median over random pairs of samples; 100,000 pairs place it within about 1%.
double median_distance(const SampleGeometry& geometry, std::uint64_t seed) {
  constexpr Index pairs = 100000;
  const auto samples = static_cast<std::uint64_t>(geometry.residuals.size());
  Rng rng(seed, Purpose("median of fused distances"));
  std::vector<double> distances;
  while (static_cast<Index>(distances.size()) < pairs) {
    const auto p = static_cast<Index>(rng.below(samples));
    const auto q = static_cast<Index>(rng.below(samples));
    if (p == q) continue;
    const double inside = (geometry.coordinates.col(p) - geometry.coordinates.col(q)).squaredNorm();
    distances.push_back(inside + geometry.residuals(p) + geometry.residuals(q));
  }
  const auto middle = distances.begin() + pairs / 2;
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

double gamma_of_median(const SampleGeometry& geometry, std::uint64_t seed) {
  const double median = geometry.residuals.size() < 2 ? 0 : median_distance(geometry, seed);
  if (!(median > 0)) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "more than half of the pairs of samples are the same, so their median distance is meaningless; "
        "give gamma as a number, or use scale");
  }
  return 1 / (2 * median);
}

}  // namespace

FusedKernel fuse_products(const Kernel& kernel, const std::vector<KernelFactor>& factors,
                          const GramOptions& options) {
  const std::vector<Matrix> columns = columns_of(factors);
  const Index samples = columns.front().cols();
  for (const Matrix& part : columns) require_same_samples(samples, part.cols());
  Matrix all = stacked(columns);
  if (kernel.kind == KernelKind::linear) {  // one product instead of J sums
    const auto write = [&](const Tile& tile, double* out) {
      multiply(all, tile, TileMap(out, tile.rows, tile.columns));
    };
    auto matrix = TriangularGram<double>::from_tiles(samples, write, options);
    double trace = 0;
    for (const KernelFactor& factor : factors) trace += factor.trace;
    return {.matrix = std::move(matrix),
            .trace = trace,
            .centred = true,
            .trace_centred = true,
            .whole = nothing_left_out(factors),
            .columns = std::move(all)};
  }
  const auto write = [&](const Tile& tile, double* out) {
    TileMap(out, tile.rows, tile.columns).setOnes();
    for (const Matrix& part : columns) multiply_by(part, tile, out);
  };
  auto matrix = TriangularGram<double>::from_tiles(samples, write, options);
  // A sample and itself: one, whatever the truncated factors say.
  const auto trace = static_cast<double>(samples);
  return {.matrix = std::move(matrix),
          .trace = trace,
          .whole = nothing_left_out(factors),
          .columns = std::move(all)};
}

FusedKernel fuse_distances(const Kernel& kernel, const std::vector<DistanceFactor>& factors,
                           const GramOptions& options) {
  const bool linear = centred_by_parties(kernel);
  SampleGeometry geometry = geometry_of(factors, linear ? Origin::own_means : Origin::zero);
  const TileFinisher finish(kernel, geometry);
  auto matrix = TriangularGram<double>::from_tiles(geometry.residuals.size(), std::cref(finish), options);
  const double trace = matrix.diagonal().sum();
  return {.matrix = std::move(matrix),
          .trace = trace,
          .trace_centred = linear,
          .whole = nothing_left_out(factors),
          .definite = is_definite(kernel),
          .columns = std::move(geometry.coordinates)};
}

bool centred_by_parties(const Kernel& kernel) {
  return kernel.kind == KernelKind::linear && !kernel.normalized;
}

Vector lengths_of(const std::vector<DistanceFactor>& factors) { return geometry_of(factors).lengths; }

double gamma_of_distances(const GammaSpec& spec, const std::vector<DistanceFactor>& factors,
                          std::uint64_t seed) {
  if (spec.rule == GammaRule::number) return spec.value;
  if (spec.rule == GammaRule::median) return gamma_of_median(geometry_of(factors), seed);
  Moments entries;
  for (const DistanceFactor& factor : factors) {
    if (entries.count == 0) {
      entries = factor.entries;
    } else {
      entries += factor.entries;
    }
  }
  const Index samples = factors.front().residuals.size();
  if (!(entries.squares(0) > 0) || samples < 2) {
    throw Error(ErrorCategory::InvalidArgument,
                "the data do not vary, so gamma cannot be computed from them; give gamma as a number");
  }
  const auto features = static_cast<Index>(std::llround(entries.count / static_cast<double>(samples)));
  return gamma_scale(features, entries);
}

}  // namespace choir::oneshot_kpca
