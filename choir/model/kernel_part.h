// One party's share of kernel principal components whose features are spread over several parties: its own
// features of the training samples, and, at a party that got the result, the coefficients over them.
//
//  t(x) = (V L^-1/2)'k_c(x),  k(x) from the sum over parts of squared distances (or inner products)
//
//   Matrix sum = first.contribution(its_features) + second.contribution(its_features);
//   Matrix scores = first.answer(sum).scores;        // any part that has_answer()
//
// T numbers a new sample leave a party for rbf, its squared distances to the training samples; T + 1 for the
// other kernels, inner products and its own squared length, which k(x,x) needs. All parts are needed: without
// one, samples would look closer to each other than they are.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"
#include "choir/model/linear_part.h"
#include "choir/model/preprocessing.h"

namespace choir {

struct KernelPart {
  Kernel kernel = {};
  Preprocessing preprocessing = {};
  std::vector<std::int64_t> columns = {};  // of the whole data that the part has, ascending; empty: not known
  Vector mean = {};     // M_j: subtracted from samples, as it was from the points; empty: nothing is
  Samples points = {};  // M_j x T: the party's own features, after preprocessing

  // Of a party that got the result; empty at the others.
  Matrix coefficients = {};  // T x D: V L^-1/2
  Vector lengths = {};  // T: squared, of the training samples over all features; if the kernel scales by them
  Vector row_means = {};  // T: of the uncentred kernel matrix, as it was fused
  double grand_mean = 0;
  Vector eigenvalues = {};  // D, of the centred kernel matrix
  double trace = 0;
  Index training_samples = 0;  // T

  Index features() const { return points.rows(); }
  Index components() const { return coefficients.cols(); }
  bool has_answer() const { return coefficients.cols() > 0; }
  Index numbers_a_sample() const;  // that leave a party: T or T + 1
  Vector explained_variance_ratio() const;
  Vector explained_variance() const;

  // rbf: squared distances. Others: inner products, and in the last column squared lengths.
  Matrix contribution(const SamplesView& samples, int threads = 1) const;  // N x numbers_a_sample()
  // From the sum of all parts' contributions. Throws Error(InvalidArgument) unless has_answer() and the sum
  // has the columns above, Error(BadData) for a sample that a normalized kernel cannot normalize.
  PartedAnswer answer(const Matrix& contributions) const;
};

}  // namespace choir
