// Samples and jobs for tests of runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/linalg/types.h"
#include "choir/run/run.h"

namespace choir::testing {

inline Samples normal_samples(Index features, Index samples, Purpose purpose, std::uint64_t seed = 1) {
  Rng random(seed, purpose, 0);
  Samples result(features, samples);
  for (double& value : result.reshaped()) value = random.normal();
  return result;
}

// Every second lies elsewhere.
inline Samples blobs(Index features, Index samples, std::uint64_t seed = 1) {
  Samples result = normal_samples(features, samples, Purpose("run test"), seed);
  for (Index n = 0; n < samples; n += 2) result.col(n).array() += 3;
  return result;
}

using Named = std::vector<std::pair<std::string, OptionValue>>;

// The options of `more` come after the others. The samples must outlive the job.
inline Job make_job(const std::string& method, std::vector<SamplesView> arrays, Named options,
                    const Named& more = {}) {
  Job job;
  job.method = method;
  job.data.arrays = std::move(arrays);
  job.options = std::move(options);
  job.options.insert(job.options.end(), more.begin(), more.end());
  return job;
}

inline std::string refusal_of(Job job) {
  try {
    choir::Run run(std::move(job));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

// What a run says that begins and cannot end with an answer.
inline std::string failure_of(Job job) {
  try {
    choir::Run(std::move(job)).execute();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing failed";
}

}  // namespace choir::testing
