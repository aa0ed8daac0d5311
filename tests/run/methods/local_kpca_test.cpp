// Every node alone as a run: means over nodes, a line per node, and the yardsticks.
#include "run/jobs.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/run/run.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

Job job_of(const Samples& samples) {
  return testing::make_job("local-kpca", {samples}, {{"nodes", 3}, {"gamma", 0.1}});
}

TEST(LocalKpcaRun, HasAModelAndALineForEveryNode) {
  const Samples samples = testing::blobs(4, 90);
  const Result result = choir::Run(job_of(samples)).execute();
  EXPECT_EQ(result.n_components, 2);
  ASSERT_EQ(result.models.size(), 3u);
  EXPECT_EQ(result.models[2].make().node, 2);
  EXPECT_EQ(result.models[2].make().use, "own");
  ASSERT_EQ(result.metrics.size(), 3u);
  EXPECT_EQ(result.metrics[1].at("node").number(), 1);
  EXPECT_EQ(result.metrics[1].at("samples").number(), 30);
  EXPECT_EQ(result.metrics[1].at("gamma").number(), 0.1);
  EXPECT_THAT(result.text, HasSubstr("eigenvalue (mean)"));
}

TEST(LocalKpcaRun, ComparesWithTheSamplesInOnePlace) {
  const Samples samples = testing::blobs(4, 90);
  Job job = job_of(samples);
  job.options.emplace_back("yardsticks", true);
  const Result result = choir::Run(std::move(job)).execute();
  for (const char* name : {"local", "gather_own", "gather_neighborhood", "oracle"}) {
    ASSERT_TRUE(result.quality.contains(name)) << name;
    EXPECT_EQ(result.quality.at(name).rows(), 3);
  }
  EXPECT_THAT(result.text, HasSubstr("best of own"));
}

TEST(LocalKpcaRun, NodesMayNotChooseTheirNumberOfComponents) {
  const Samples samples = testing::blobs(4, 90);
  Job job = job_of(samples);
  job.options.emplace_back("n-components", 0.9);
  try {
    choir::Run run(std::move(job));
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("use --n-components with an integer"));
  }
}

}  // namespace
}  // namespace choir
