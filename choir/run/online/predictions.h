// Predictions of samples that a run is about to learn from, a line each, written as they are made:
//
//   node,sample,target,prediction
//   0,1,cat,dog
//
// Samples of a node count from 1. Lines of one node are in order; those of several nodes are as they came.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include "choir/linalg/types.h"
#include "choir/run/online/class_names.h"

namespace choir {

class PredictionFile {
 public:
  // `learned`: samples of nodes that continue; their lines stay, up to there. Empty: the file begins anew.
  // Throws Error(Io).
  PredictionFile(std::filesystem::path path, ClassNames classes,
                 const std::map<NodeId, std::uint64_t>& learned);

  // A batch: scores (B x K, or B x 1 for values) and targets (B: places in the classes, or values) of the
  // samples behind the first `before`. Nodes may call it concurrently.
  void add(NodeId node, std::uint64_t before, const Matrix& scores, const Vector& targets);

 private:
  std::string text_of(double place_or_value) const;

  std::filesystem::path path_;
  ClassNames classes_;
  std::mutex mutex_;
  std::ofstream file_;
};

}  // namespace choir
