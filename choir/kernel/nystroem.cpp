#include "choir/kernel/nystroem.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/kernel/gram.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

constexpr Index embedded_at_once = 512;

Matrix whiten(const Matrix& gram, double cutoff) {
  const EigenPairs all = eigen_symmetric<double>(gram);
  if (!(all.values(0) > 0)) {
    fail(ErrorCategory::Numerical,
         "the kernel matrix of the landmarks has no positive eigenvalue; choose other landmarks or another "
         "kernel");
  }
  const double smallest = cutoff * all.values(0);
  const auto kept = static_cast<Index>(
      std::count_if(all.values.begin(), all.values.end(), [&](double value) { return value > smallest; }));
  return all.vectors.leftCols(kept) * all.values.head(kept).cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace

NystroemFeatures::NystroemFeatures(const Kernel& kernel, Samples landmarks, const NystroemOptions& options)
    : kernel_(kernel), landmarks_(std::move(landmarks)) {
  if (landmarks_.cols() == 0) {
    fail(ErrorCategory::InvalidArgument, "Nystroem features need at least one landmark");
  }
  const auto lower = TriangularGram<double>::compute(kernel, landmarks_, {.threads = options.threads});
  whitening_ = whiten(lower.dense(), options.cutoff);
}

Matrix NystroemFeatures::transform(const MatrixView<double>& samples, int threads) const {
  if (samples.rows() != landmarks_.rows()) {
    fail(ErrorCategory::InvalidArgument, "the samples have {} features; the landmarks have {}",
         samples.rows(), landmarks_.rows());
  }
  Matrix result(rank(), samples.cols());
  const Index blocks = (samples.cols() + embedded_at_once - 1) / embedded_at_once;
  parallel_for(blocks, threads, [&](Index block) {
    const Index first = block * embedded_at_once;
    const Index columns = std::min(embedded_at_once, samples.cols() - first);
    const Matrix similarity = gram<double>(kernel_, landmarks_, samples.middleCols(first, columns));
    result.middleCols(first, columns).noalias() = whitening_.transpose() * similarity;
  });
  return result;
}

}  // namespace choir
