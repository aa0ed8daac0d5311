// All samples in one place as a run: what is read, what is recorded, and what a page is given to draw.
#include "run/jobs.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/learn/central/kernel_pca.h"
#include "choir/run/run.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

Result run_of(const Samples& samples, const testing::Named& options, std::vector<std::int64_t> labels = {}) {
  Job job = testing::make_job("central-kpca", {samples}, options);
  if (!labels.empty()) job.data.labels.push_back(std::move(labels));
  return choir::Run(std::move(job)).execute();
}

TEST(CentralKpcaRun, DrawsTheScoresOfItsSamplesForAPageOnly) {
  const Samples samples = testing::blobs(4, 40);
  const std::vector<std::int64_t> labels(40, 7);
  EXPECT_FALSE(run_of(samples, {{"gamma", 0.1}}).embedding);
  for (const char* kernel : {"rbf", "linear"}) {
    const Result result = run_of(samples, {{"gamma", 0.1}, {"kernel", kernel}, {"report", true}}, labels);
    ASSERT_TRUE(result.embedding) << kernel;
    ASSERT_EQ(result.embedding->nodes.size(), 1u);
    const auto& points = result.embedding->nodes.front();
    EXPECT_EQ(points.name, "");
    EXPECT_EQ(points.labels, labels);
    const Matrix scores = transform(result.models.front().make().answer(), samples);
    EXPECT_TRUE(points.coordinates.isApprox(scores, 1e-3)) << kernel << ": four digits are drawn";
  }
}

TEST(CentralKpcaRun, PreprocessesACopyAndSaysHow) {
  const Samples samples = testing::blobs(4, 40);
  const Samples before = samples;
  const Result divided = run_of(samples, {{"gamma", 0.4}, {"divide", 2}});
  EXPECT_EQ(samples, before);
  const Result whole = run_of(samples, {{"gamma", 0.1}});
  EXPECT_TRUE(divided.eigenvalues.isApprox(whole.eigenvalues, 1e-10));
  const Matrix scores = transform(divided.models.front().make().answer(), samples);
  EXPECT_EQ(scores.rows(), 40);
  EXPECT_TRUE(
      scores.cwiseAbs().isApprox(transform(whole.models.front().make().answer(), samples).cwiseAbs(), 1e-6));
}

TEST(CentralKpcaRun, IsOneNodeHoweverTheDataAreSpread) {
  const Samples samples = testing::blobs(4, 40);
  Job job;
  job.method = "central-kpca";
  const Samples first = samples.leftCols(15);
  const Samples second = samples.rightCols(25);
  job.data.arrays.emplace_back(first);
  job.data.arrays.emplace_back(second);
  job.options = {{"gamma", 0.1}};
  const Result result = choir::Run(std::move(job)).execute();
  EXPECT_EQ(result.nodes, 1);
  EXPECT_EQ(result.samples, 40);
  EXPECT_FALSE(result.has_network);
  EXPECT_TRUE(result.eigenvalues.isApprox(run_of(samples, {{"gamma", 0.1}}).eigenvalues, 1e-10));
}

TEST(CentralKpcaRun, TakesTheGammaOfItsOwnOptions) {
  const Samples samples = testing::blobs(4, 40);
  central_kpca::Options options;
  options.kernel.gamma = 0.1;
  Job job = Job::of(options);
  job.data.arrays.emplace_back(samples);
  const Result result = choir::Run(std::move(job)).execute();
  EXPECT_EQ(result.eigenvalues, run_of(samples, {{"gamma", 0.1}}).eigenvalues);
  EXPECT_EQ(result.call.resolved.at("gamma"), "0.1");
}

TEST(CentralKpcaRun, TooFewLandmarksAreSaidAndMoreOrNoneHelp) {
  const Samples samples = testing::blobs(6, 200);
  const Result weak = run_of(samples, {{"gamma", 0.1}, {"n-components", 3}, {"n-landmarks", 6}});
  ASSERT_FALSE(weak.good());
  EXPECT_THAT(weak.assessment->weaknesses[0], HasSubstr("raise --n-landmarks above 6, or omit it"));
  EXPECT_TRUE(run_of(samples, {{"gamma", 0.1}, {"n-components", 3}, {"n-landmarks", 150}}).good());
  EXPECT_TRUE(run_of(samples, {{"gamma", 0.1}, {"n-components", 3}}).good());
}

TEST(CentralKpcaRun, RecordsWhatItsIterationsCount) {
  const Result result =
      run_of(testing::blobs(4, 600), {{"gamma", 0.1}, {"n-components", 3}, {"gram", "recomputed"}});
  Index last = 0;
  for (const Facts& line : result.metrics) {
    EXPECT_EQ(line.at("stage").text(), "eigenpairs");
    EXPECT_GT(line.at("residual").number(), 0);
    last = static_cast<Index>(line.at("iteration").number());
  }
  EXPECT_EQ(result.iterations, last);
  EXPECT_GT(result.facts.at("products").number(), 0);
  EXPECT_THAT(result.text, HasSubstr("together"));
}

}  // namespace
}  // namespace choir
