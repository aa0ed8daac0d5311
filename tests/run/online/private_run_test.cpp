// All that a run under differential privacy says, with one sample replaced by another: nothing but the
// weights of the models may be another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "choir/base/rng.h"
#include "choir/data/stream.h"
#include "choir/model/model_file.h"
#include "choir/run/result_json.h"
#include "choir/run/run.h"

namespace choir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr Index each = 120;
constexpr Index streams = 3;

// Two blobs. With one sample replaced by one far away, of the other class.
std::vector<std::unique_ptr<SampleStream>> two_blobs(bool one_replaced) {
  Rng random(1, Purpose("private run test"));
  std::vector<std::unique_ptr<SampleStream>> all;
  for (Index node = 0; node < streams; ++node) {
    TargetedSamples part{.samples = Samples(2, each), .targets = Vector(each)};
    for (Index n = 0; n < each; ++n) {
      part.targets(n) = static_cast<double>(random.below(2));
      part.samples.col(n) << 2 * part.targets(n) + 0.3 * random.normal(), 0.3 * random.normal();
    }
    if (one_replaced && node == 1) {
      part.samples.col(7) << -9, 9;
      part.targets(7) = 1 - part.targets(7);
    }
    all.push_back(stream_of(std::move(part)));
  }
  return all;
}

Result result_of(bool one_replaced, std::vector<std::pair<std::string, OptionValue>> more) {
  Job job;
  job.method = "online-kernel";
  job.data.streams = two_blobs(one_replaced);
  job.options = {{"nodes", streams},
                 {"classes", "0,1"},
                 {"gamma", 0.5},
                 {"n-features", 20},
                 {"engine", "sim"},
                 {"report", true},
                 {"representation", "random-features"}};
  job.options.insert(job.options.end(), more.begin(), more.end());
  return Run(std::move(job)).execute();
}

const std::vector<std::pair<std::string, OptionValue>> privately = {{"privacy", 1e4}};

void forget_times(nlohmann::ordered_json& json) {
  for (const char* key : {"started", "time", "memory_peak_bytes", "samples_per_second"}) json.erase(key);
}

std::string without_weights(ModelFile file) {
  auto& machine = std::get<KernelMachine>(file.answers.begin()->second);
  machine.weights.setZero();
  machine.intercept.setZero();
  std::string bytes;
  for (const std::byte byte : encode_model(file)) bytes += static_cast<char>(byte);
  return bytes;
}

// The figures, the metrics, the words, and the models without weights.
std::string told_by(Result result) {
  result.call.started.clear();
  nlohmann::ordered_json json = to_json(result);
  forget_times(json);
  std::string all = json.dump(1) + "\n" + result.text;
  for (const Facts& line : result.metrics) all += to_json(line).dump() + "\n";
  for (const std::string& note : result.notes) all += note + "\n";
  for (const NodeModel& model : result.models) all += without_weights(model.make());
  return all;
}

TEST(PrivateRun, NothingThatIsToldDependsOnASample) {
  const std::string told = told_by(result_of(false, privately));
  EXPECT_EQ(told, told_by(result_of(true, privately)));
  EXPECT_THAT(told, Not(HasSubstr("progressive_accuracy")));
  EXPECT_THAT(told, HasSubstr("1 noisy total opened"));
}

TEST(PrivateRun, WithoutPrivacyTheSameSampleShows) {
  EXPECT_NE(told_by(result_of(false, {})), told_by(result_of(true, {})));
}

TEST(PrivateRun, SaysWhatItPromises) {
  const Result result = result_of(false, privately);
  ASSERT_TRUE(result.privacy);
  EXPECT_EQ(result.privacy->asked.epsilon, 1e4);
  EXPECT_EQ(result.privacy->releases.size(), 1U);
  EXPECT_FALSE(result.privacy->left_out.empty());
  EXPECT_FALSE(result.assessment);
  EXPECT_TRUE(result.quality.empty());
  EXPECT_TRUE(result.metrics.empty());
  EXPECT_FALSE(result.confusion);
  EXPECT_FALSE(result.decision);
  EXPECT_FALSE(result.embedding);
}

}  // namespace
}  // namespace choir
