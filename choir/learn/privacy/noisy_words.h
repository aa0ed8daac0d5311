// A node's summand as words that hide it: rounded to a grid, with the node's share of discrete Gaussian
// noise, ready to be masked. No network in here.
//
//   const NoisyWords how(release, plan.share_of_variance(), mine.size());
//   const Words words = how.of(mine, bits);                       // each node
//   const Matrix total = how.total(added_up, mine.rows(), mine.cols());      // of the words' sum modulo 2^64
//
// The grid is fine beside the noise (sensitivity / 2^20), and what rounding can add to the sensitivity is
// part of it. Noise and grid are whole numbers: no low bits of a floating-point number tell what the noise
// was added to. A sum of discrete Gaussians is not quite one, by less than 2^-100 here (Kairouz, Liu, Steinke
// 2021, theorem 1).
#pragma once

#include "choir/crypto/random_bits.h"
#include "choir/learn/privacy/privacy_plan.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {

class NoisyWords {
 public:
  // `entries`: of a summand. Throws Error(InvalidArgument) for a release that costs nothing.
  NoisyWords(const Release& release, double share_of_variance, Index entries);

  // Column by column. Throws Error(InvalidArgument) for entries that are no numbers or too large for a word.
  Words of(const Matrix& mine, RandomBits& bits) const;
  Matrix total(const WordsView& words, Index rows, Index columns) const;

  std::uint64_t node_sigma() const { return node_sigma_; }  // in steps
  double step() const { return step_; }

 private:
  double step_;
  std::uint64_t node_sigma_;
};

}  // namespace choir
