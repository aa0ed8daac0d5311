// Under --privacy everything that a run sends, says and writes follows from its noisy totals and what is
// public. Two data sets that differ in one sample, and have the same totals: with the same randomness every
// byte must be the same. Without --privacy the same pairs differ, so the comparison sees what it should.
#include <filesystem>
#include <fstream>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "crypto/fixed_randomness.h"
#include "run/jobs.h"
#include <Eigen/Cholesky>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "choir/kernel/random_features.h"
#include "choir/model/model_file.h"
#include "choir/run/result_json.h"
#include "choir/run/run.h"
#include "choir/runtime/message_codec.h"

namespace choir {
namespace {

using ::testing::IsEmpty;
using testing::Named;
using ::testing::Not;

constexpr Index inputs = 6;
constexpr Index chosen = 17;  // the sample that is another one in the second data set

struct Pair {
  Samples first;
  Samples second;
};

Pair pair_with(const Vector& sample, const Vector& other) {
  Samples samples = testing::normal_samples(inputs, 90, Purpose("private leaks test")) / 4;
  samples.row(0) *= 3;
  Pair pair{.first = samples, .second = samples};
  pair.first.col(chosen) = sample;
  pair.second.col(chosen) = other;
  return pair;
}

// What a run takes is left out: time and memory.
nlohmann::ordered_json without_costs(const nlohmann::ordered_json& json) {
  if (!json.is_object()) return json;
  nlohmann::ordered_json kept = nlohmann::ordered_json::object();
  for (const auto& [key, value] : json.items()) {
    const bool cost = key.find("seconds") != std::string::npos || key.find("memory") != std::string::npos ||
                      key == "started" || key == "time" || key == "wall_time";
    if (!cost) kept[key] = without_costs(value);
  }
  return kept;
}

std::string bytes_of(const ModelFile& model) {
  const auto bytes = encode_model(model);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Everything that somebody could see of a run, piece by piece.
struct Seen {
  std::vector<std::string> names;
  std::vector<std::string> pieces;

  void add(std::string name, std::string piece) {
    names.push_back(std::move(name));
    pieces.push_back(std::move(piece));
  }
};

Seen seen_of(Job job) {
  const testing::FixedRandomness fixed;
  Seen seen;
  RunHooks hooks;
  hooks.note = [&](const std::string& sentence) { seen.add("note", sentence); };
  hooks.audit = [&](NodeId from, NodeId to, const Message& message) {
    ByteBuffer bytes;
    encode(message, bytes);
    seen.add(fmt::format("{} from {} to {}", to_string(message.kind()), from, to),
             std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  };
  choir::Run run(std::move(job), {}, std::move(hooks));
  seen.add("plan", run.plan().words());
  const Result result = run.execute();
  const nlohmann::ordered_json json = without_costs(to_json(result));
  for (const auto& [key, value] : json.items()) seen.add("result.json: " + key, value.dump());
  seen.add("text", result.text);
  for (const Facts& line : result.metrics) seen.add("metrics", to_json(line).dump());
  for (const NodeModel& model : result.models)
    seen.add(fmt::format("model of node {}", model.node), bytes_of(model.make()));
  return seen;
}

// Names of the pieces that differ.
std::vector<std::string> differences(const Seen& first, const Seen& second) {
  if (first.names != second.names) return {"the pieces themselves"};
  std::vector<std::string> different;
  for (std::size_t i = 0; i < first.pieces.size(); ++i) {
    if (first.pieces[i] != second.pieces[i]) different.push_back(first.names[i]);
  }
  return different;
}

Job job_of(const std::string& method, const Samples& samples, const Named& options) {
  return testing::make_job(
      method, {samples},
      {{"nodes", 3}, {"engine", "sim"}, {"threads", 1}, {"n-components", 1}, {"report", true}}, options);
}

std::vector<std::string> what_differs(const std::string& method, const Pair& pair, const Named& options) {
  return differences(seen_of(job_of(method, pair.first, options)),
                     seen_of(job_of(method, pair.second, options)));
}

Named joined(Named options, const Named& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

// Both are shortened to the same.
Pair pair_beyond_clip(double length) {
  const Vector sample = length * Vector::LinSpaced(inputs, 1, 2).normalized();
  return pair_with(sample, 2 * sample);
}

// Moved by whole periods of all frequencies at once.
Pair pair_of_equal_phases(const Kernel& kernel, const RandomFeaturesOptions& features) {
  const Matrix frequencies = RandomFeatures::draw(kernel, inputs, features).frequencies();
  const Matrix products = frequencies.transpose() * frequencies;
  const Vector turns = Vector::Constant(frequencies.cols(), 2 * std::numbers::pi);
  const Vector sample = Vector::LinSpaced(inputs, 0.1, 0.6);
  return pair_with(sample, sample + frequencies * products.ldlt().solve(turns));
}

const Named private_run = {{"privacy", 1.0}};

TEST(PrivateLeaks, PcaShowsNothingButItsTotals) {
  const Pair pair = pair_beyond_clip(5);
  const Named linear = {{"kernel", "linear"}};
  EXPECT_THAT(what_differs("gossip-pca", pair, joined(linear, {{"privacy", 1.0}, {"clip", 2.0}})), IsEmpty());
  EXPECT_THAT(what_differs("gossip-pca", pair, linear), Not(IsEmpty()));
}

// Beyond all landmarks, where the kernel is 0.
TEST(PrivateLeaks, LandmarksShowNothingButTheirTotals) {
  const Pair pair = pair_beyond_clip(50);
  for (const char* method : {"consensus-kpca", "gossip-pca"}) {
    const Named rbf = {{"kernel", "rbf"}, {"gamma", 0.5}, {"n-landmarks", 12}};
    EXPECT_THAT(what_differs(method, pair, joined(rbf, {{"privacy", 1.0}, {"clip", 2.0}})), IsEmpty())
        << method;
    EXPECT_THAT(what_differs(method, pair, rbf), Not(IsEmpty())) << method;
  }
}

RandomFeaturesOptions features_of(const ModelFile& file) {
  return std::get<FeatureModel>(file.answer()).random_features;
}

TEST(PrivateLeaks, RandomFeaturesShowNothingButTheirTotals) {
  const Named rbf = {{"kernel", "rbf"}, {"gamma", 0.5}, {"n-features", 8}};
  for (const auto& [method, option] :
       {std::pair("consensus-kpca", "share"), std::pair("gossip-pca", "features")}) {
    const Named random = joined(rbf, {{option, "random-features"}});
    const Named noisy = joined(random, private_run);
    const Pair any = pair_beyond_clip(1);
    const Result result = choir::Run(job_of(method, any.first, noisy)).execute();
    const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.5};
    const Pair pair = pair_of_equal_phases(kernel, features_of(result.models[0].make()));
    EXPECT_THAT(what_differs(method, pair, noisy), IsEmpty()) << method;
    EXPECT_THAT(what_differs(method, pair, random), Not(IsEmpty())) << method;
  }
}

// Mirrored in the plane of the landmarks: as far from each of them.
Pair pair_mirrored_in(const Matrix& landmarks) {
  const Vector origin = landmarks.col(0);
  const Matrix along = landmarks.rightCols(landmarks.cols() - 1).colwise() - origin;
  const Vector sample = Vector::LinSpaced(inputs, 0.1, 0.9);
  const Vector seen = sample - origin;
  const Vector in_plane = along * (along.transpose() * along).ldlt().solve(along.transpose() * seen);
  return pair_with(sample, origin + 2 * in_plane - seen);
}

TEST(PrivateLeaks, PublicLandmarksShowNothingButTheirTotals) {
  const Samples landmarks = testing::normal_samples(inputs, 4, Purpose("public landmarks"));
  const auto path =
      std::filesystem::path(::testing::TempDir()) / fmt::format("private_leaks_landmarks-{}.csv", getpid());
  std::ofstream file(path);
  for (const auto& point : landmarks.colwise()) file << fmt::format("{}\n", fmt::join(point, ","));
  file.close();
  const Pair pair = pair_mirrored_in(landmarks);
  const Named rbf = {{"kernel", "rbf"}, {"gamma", 0.1}, {"landmarks", path.string()}};
  EXPECT_THAT(what_differs("consensus-kpca", pair, joined(rbf, private_run)), IsEmpty());
  EXPECT_THAT(what_differs("consensus-kpca", pair, rbf), Not(IsEmpty()));
  std::filesystem::remove(path);
}

// What makes the others mean something: a total that differs shows.
TEST(PrivateLeaks, DifferentTotalsShow) {
  const Pair pair = pair_with(Vector::Constant(inputs, 0.5), Vector::Constant(inputs, -0.5));
  const Named linear = {{"kernel", "linear"}, {"privacy", 1.0}, {"clip", 2.0}};
  EXPECT_THAT(what_differs("gossip-pca", pair, linear), Not(IsEmpty()));
  EXPECT_THAT(what_differs("gossip-pca", {pair.first, pair.first}, linear), IsEmpty());
}

}  // namespace
}  // namespace choir
