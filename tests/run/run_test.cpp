// A job by its name is the same as the fit by its type, and everything that can be refused is refused before
// any work.
#include "choir/run/run.h"

#include <filesystem>

#include "paths.h"
#include "run/jobs.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/run/result_json.h"
#include "choir/runtime/local/local_engine.h"

namespace choir {
namespace {

namespace fs = std::filesystem;

Job central_job(const Samples& samples) {
  return testing::make_job("central-kpca", {samples}, {{"gamma", 0.1}, {"n-components", 3}});
}

TEST(Run, OfAnArrayIsTheFitOfIt) {
  const Samples samples = testing::blobs(4, 60);
  choir::Run run(central_job(samples));
  const Result result = run.execute();
  central_kpca::Options options;
  options.kernel.gamma = 0.1;
  options.n_components.count = 3;
  options.tol = 1e-8;
  const central_kpca::Fit fit = fit_central_kpca(samples, options);
  EXPECT_TRUE(result.eigenvalues.isApprox(fit.model.eigenvalues, 1e-12));
  EXPECT_EQ(result.samples, 60);
  EXPECT_EQ(result.converged, true);
  ASSERT_EQ(result.models.size(), 1u);
  EXPECT_EQ(result.models.front().make().parameters.at("n_components"), "3");
}

TEST(Run, TakesTheMethodsOwnOptions) {
  const Samples samples = testing::blobs(4, 80);
  consensus_kpca::Options options;
  options.gamma = parse_gamma("0.1");
  options.n_components.count = 3;
  options.share = consensus_kpca::Share::samples;
  Job typed = Job::of(options);
  typed.data.arrays.emplace_back(samples);
  typed.options = {{"nodes", 4}};
  Job named;
  named.method = "consensus-kpca";
  named.data.arrays.emplace_back(samples);
  named.options = {{"nodes", 4}, {"gamma", 0.1}, {"n_components", 3}, {"share", "samples"}};
  choir::Run by_type(std::move(typed));
  choir::Run by_name(std::move(named));
  const Result one = by_type.execute();
  const Result two = by_name.execute();
  EXPECT_EQ(one.method, "consensus-kpca");
  EXPECT_EQ(one.eigenvalues, two.eigenvalues);
  EXPECT_EQ(one.call.command, two.call.command);
}

TEST(Run, PlansBeforeItRuns) {
  Job job;
  job.method = "consensus-kpca";
  const Samples samples = testing::blobs(4, 80);
  job.data.arrays.emplace_back(samples);
  job.options = {{"nodes", 8}, {"gamma", 0.1}, {"share", "landmarks"}};
  choir::Run run(std::move(job));
  const Plan& plan = run.plan();
  EXPECT_EQ(plan.nodes, 8);
  EXPECT_EQ(plan.topology, "ring:4");
  EXPECT_EQ(plan.smallest_degree, 4);
  EXPECT_THAT(plan.leaves_a_node, ::testing::Not(::testing::Contains("raw_samples")));
  EXPECT_THAT(plan.leaves_a_node, ::testing::Contains("centroids"));
  EXPECT_THAT(plan.words(), ::testing::HasSubstr("masked: uniform words; no information without the other"));
  EXPECT_TRUE(plan.fits);
  const Result result = run.execute();
  for (const auto& [kind, traffic] : result.ledger) {
    if (traffic.messages > 0) {
      EXPECT_THAT(plan.leaves_a_node, ::testing::Contains(std::string(to_string(kind))));
    }
  }
}

TEST(Run, RefusesBeforeAnyWork) {
  const Samples samples = testing::blobs(4, 20);
  EXPECT_THAT(testing::refusal_of([&] {
                Job job = central_job(samples);
                job.method = "central-kpcs";
                return job;
              }()),
              ::testing::HasSubstr("did you mean 'central-kpca'?"));
  EXPECT_THAT(testing::refusal_of([&] {
                Job job = central_job(samples);
                job.options.emplace_back("n-component", 2);
                return job;
              }()),
              ::testing::HasSubstr("did you mean 'n-components'?"));
  EXPECT_THAT(testing::refusal_of([&] {
                Job job = central_job(samples);
                job.options.emplace_back("engine", "sim");
                return job;
              }()),
              ::testing::HasSubstr("no network"));
  EXPECT_THAT(testing::refusal_of([] {
                Job job;
                job.method = "central-kpca";
                return job;
              }()),
              ::testing::HasSubstr("--data is missing"));
}

TEST(Run, SavesTheFolderWholeAndOnce) {
  const fs::path folder = fs::path(::testing::TempDir()) / "choir-run-test";
  fs::remove_all(folder);
  const Samples samples = testing::blobs(4, 30);
  choir::Run run(central_job(samples));
  const Result result = run.execute();
  result.save(folder.string());
  for (const char* name : {"result.json", "metrics.jsonl", "config.resolved.toml", "model-0.npz"}) {
    EXPECT_TRUE(fs::exists(folder / name)) << name;
  }
  EXPECT_FALSE(fs::exists(folder / "report.html"));
  EXPECT_THROW(result.save(folder.string()), Error);
  result.save(folder.string(), {.replace = true, .with_page = false});
  EXPECT_EQ(load_model(folder / "model-0.npz").method, "central-kpca");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace choir
