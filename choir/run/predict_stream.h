// Predictions of samples as they come, a line each: through a pipe, or from a file that grows, by a model
// that may be replaced meanwhile.
//
//   const StreamedPredictions done = predict_stream({.model = "model-0.npz", .data = "-"}, hooks);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "choir/data/stream.h"
#include "choir/model/model_file.h"

namespace choir {

enum class Predicted { answers, probabilities, scores };  // what is written of a sample

struct StreamPrediction {
  std::string model;
  std::string use = {};     // which of its answers
  std::string data;         // "-": standard input
  std::string labels = {};  // the column of the true labels or values
  Predicted what = Predicted::answers;
  BadRecord on_bad_record = BadRecord::error;
  bool follow = false;  // a file that grows is waited for
  int threads = 1;
  std::stop_token stop = {};
};

struct StreamHooks {
  std::function<void(const std::string& line)> write;
  std::function<void(const std::string& sentence)> note;  // what the user should read meanwhile
};

struct StreamedPredictions {
  std::uint64_t samples = 0;
  std::uint64_t bad_records = 0;
  std::uint64_t reloads = 0;            // of the model
  std::optional<double> accuracy = {};  // if labels came with the samples
  std::optional<double> rmse = {};      // if values did
};

// Until the data end or a stop is asked for. A model of clusters answers with the number of the cluster.
// Throws Error(InvalidArgument) if the data have not the model's features, and what streams throw.
StreamedPredictions predict_stream(const StreamPrediction& options, const StreamHooks& hooks);

}  // namespace choir
