#include "choir/model/chunks.h"

#include <algorithm>

#include "choir/base/parallel.h"

namespace choir {

Index chunk_size(Index width) {
  constexpr Index doubles = Index{1} << 24;
  return std::clamp<Index>(doubles / std::max<Index>(width, 1), 64, 8192);
}

void for_each_chunk(Index samples, Index width, const std::function<void(Index, Index)>& work) {
  const Index size = chunk_size(width);
  for (Index first = 0; first < samples; first += size) work(first, std::min(size, samples - first));
}

Matrix multiply(const MatrixView<double>& a, const MatrixView<double>& b, int threads) {
  constexpr Index width = 128;
  Matrix product(a.rows(), b.cols());
  parallel_for((b.cols() + width - 1) / width, threads, [&](Index piece) {
    const Index first = piece * width, count = std::min(width, b.cols() - first);
    product.middleCols(first, count).noalias() = a * b.middleCols(first, count);
  });
  return product;
}

}  // namespace choir
