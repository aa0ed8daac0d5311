// Data of several parties for the tests of one-shot kernel PCA.
#pragma once

#include <vector>

#include "choir/base/rng.h"
#include "choir/linalg/types.h"

namespace choir::testing {

// Features that depend on each other, M x T, about means that are not zero.
inline Samples party_samples(Index features, Index samples, std::uint64_t seed, Index rank = 6) {
  Rng rng(seed, Purpose("parties"));
  const auto normal = [&](Index rows, Index columns) {
    Matrix matrix(rows, columns);
    for (double& entry : matrix.reshaped()) entry = rng.normal();
    return matrix;
  };
  // One draw per line: compilers evaluate the sides of an operator in orders of their own.
  const Matrix directions = normal(features, rank);
  const Matrix common = directions * normal(rank, samples);
  const Matrix noisy = common + 0.1 * normal(features, samples);
  return noisy.colwise() + Vector(normal(features, 1));
}

// Features dealt out in order, counts equal within one.
inline std::vector<Samples> parties_of(const Samples& samples, Index parties) {
  std::vector<Samples> parts;
  for (Index j = 0; j < parties; ++j) {
    const Index begin = j * samples.rows() / parties;
    parts.push_back(samples.middleRows(begin, (j + 1) * samples.rows() / parties - begin));
  }
  return parts;
}

}  // namespace choir::testing
