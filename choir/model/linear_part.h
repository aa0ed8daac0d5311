// One party's share of principal directions whose coordinates are spread over several parties: each knows its
// own rows of U and its own means. Only all parties together can project a sample.
//
//  t(x) = sum over parts of U_i'(x_i - mean_i),  score = sum of ||x_i - mean_i||^2, minus ||t||^2
//
//   Matrix sum = first.contribution(its_coordinates) + second.contribution(its_coordinates);
//   const PartedAnswer answer = answer_of(sum);
//
// If a party is gone, the others can still do what is best in their coordinates: with G, the sum of U_i'U_i
// over the parts that are there, t is G^+ times the sum above, and t'Gt is what it captures. With all of them
// G is 1.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir {

struct LinearPart {
  Preprocessing preprocessing = {};
  std::vector<std::int64_t> columns = {};  // of the whole data that the part has, ascending; empty: not known
  Vector mean = {};                        // M_i, after preprocessing
  Matrix loadings = {};                    // M_i x D; those of all parts one below the other are orthonormal
  Vector eigenvalues = {};                 // D, of the whole centred scatter
  double trace = 0;                        // of that scatter
  Index training_samples = 0;

  Index features() const { return loadings.rows(); }
  Index components() const { return loadings.cols(); }
  Vector explained_variance_ratio() const;
  Vector explained_variance() const;

  // What the part adds: D summands of the scores and one of the squared length, for each sample (M_i x N);
  // then D rows with U_i'U_i and a zero each.
  Matrix contribution(const SamplesView& samples, int threads = 1) const;  // (N + D) x (D + 1)
};

// What contributions add up to. Throws Error(InvalidArgument) for sizes that no sum of them has.
struct PartedAnswer {
  Matrix scores;  // N x D
  Vector errors;  // N
};
PartedAnswer answer_of(const Matrix& contributions);

}  // namespace choir
