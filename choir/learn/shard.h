// A node's samples on their way into a fit: taken over, or left where the caller has them.
//
//   const std::vector<SamplesView> seen = {first, second};
//   Shards views(seen);                  // no copy unless preprocessing changes the samples
//   Shards moved(std::move(samples));    // std::vector<Samples>: no copy, and they may be changed
//
// Samples that are only viewed must outlive the fit and what it returns.
#pragma once

#include <memory>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"
#include "choir/runtime/array.h"

namespace choir {

class Shard {
 public:
  explicit Shard(Samples samples) : own_(std::move(samples)) {}
  // Copies if the samples do not lie one after the other.
  explicit Shard(const SamplesView& samples);

  Index rows() const { return seen_ ? seen_rows_ : own_.rows(); }
  Index cols() const { return seen_ ? seen_cols_ : own_.cols(); }
  SamplesMap samples() const { return {seen_ ? seen_ : own_.data(), rows(), cols()}; }

  // Takes a copy of samples that are only viewed, if they would change.
  void preprocess(const Preprocessing& preprocessing);
  // Each empties the shard. No copy of samples that it owns, nor, for an array, of those it views.
  Samples take() &&;
  Array share() &&;

 private:
  Samples own_;
  const double* seen_ = nullptr;  // instead of own_
  Index seen_rows_ = 0;
  Index seen_cols_ = 0;
};

// Of the nodes that a process runs, in their order.
class Shards {
 public:
  Shards(std::vector<Samples> samples);
  Shards(const std::vector<SamplesView>& samples);

  Index size() const { return static_cast<Index>(shards_.size()); }
  const Shard& operator[](Index i) const { return shards_[static_cast<std::size_t>(i)]; }
  Shard take(Index i) { return std::move(shards_[static_cast<std::size_t>(i)]); }
  auto begin() const { return shards_.begin(); }
  auto end() const { return shards_.end(); }

 private:
  std::vector<Shard> shards_;
};

}  // namespace choir
