// What is to be done: a method by its name, its data, its options. The same words as on the command line and
// in files.
//
//   Job job;
//   job.method = "consensus-kpca";
//   job.data.source = "patients-{node}.csv";
//   job.options = {{"nodes", 5}, {"n-components", 5}, {"standardize", "zscore"}};
#pragma once

#include <any>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "choir/data/stream.h"
#include "choir/linalg/types.h"
#include "choir/run/option.h"

namespace choir {

// A value of an option; several for options that may be repeated.
class OptionValue {
 public:
  // Values are written as they are.
  OptionValue(const char* text) : texts_{text} {}
  OptionValue(std::string text) : texts_{std::move(text)} {}
  OptionValue(bool value) : texts_{OptionType<bool>::print(value)} {}
  template <std::integral T>
  OptionValue(T value) : texts_{OptionType<T>::print(value)} {}
  OptionValue(double value) : texts_{OptionType<double>::print(value)} {}
  OptionValue(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

// What the nodes of this process learn from: one of these.
struct JobData {
  std::string source = {};  // a file, or a pattern with {node} or {rank}
  // Arrays of the caller, M x N each, which must outlive the run: one to be dealt out, or one for each node.
  std::vector<SamplesView> arrays = {};
  std::vector<std::vector<std::int64_t>> labels = {};       // of the arrays, or empty
  std::vector<std::unique_ptr<SampleStream>> streams = {};  // one for each node; online-kernel

  bool is_in_memory() const { return !arrays.empty() || !streams.empty(); }
};

struct Job {
  std::string method = {};
  JobData data = {};
  std::vector<std::pair<std::string, OptionValue>> options = {};
  // The options as texts, with the data's source among them.
  std::vector<GivenOption> given() const;
  // A struct of the library in place of options by name: Job::of(consensus_kpca::Options{.n_landmarks = 50}).
  // It also says which method it is.
  std::any typed = {};
  template <class Options>
  static Job of(Options options) {
    Job job;
    job.typed = std::move(options);
    return job;
  }
};

}  // namespace choir
