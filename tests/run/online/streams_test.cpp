// Runs of online-kernel whose streams the caller brings, against the fit by its type.
#include <fstream>

#include "codec/support.h"
#include "graph/expect_error.h"
#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/data/stream.h"
#include "choir/graph/topology.h"
#include "choir/run/run.h"
#include "choir/runtime/local/local_engine.h"

namespace choir {
namespace {

using choir::testing::expect_error;
using choir::testing::mixture_options;
using choir::testing::Mixtures;
using choir::testing::permuted;
using choir::testing::streams_of;

constexpr Index nodes = 3;

std::vector<TargetedSamples> some_data() { return permuted(Mixtures(1).draw(300, 2), nodes, 3); }

online_kernel::Options some_options() {
  online_kernel::Options options = mixture_options(online_kernel::Consensus::diffusion);
  options.max_atoms = 30;
  return options;
}

Job job_of(const std::vector<TargetedSamples>& data) {
  Job job = Job::of(some_options());
  job.data.streams = streams_of(data);
  return job;
}

Job job_with(std::string option, OptionValue value) {
  Job job = job_of(some_data());
  job.options.emplace_back(std::move(option), std::move(value));
  return job;
}

void write_csv(const std::filesystem::path& path, const TargetedSamples& data) {
  std::ofstream file(path);
  file << "a,b,label\n";
  for (Index n = 0; n < data.samples.cols(); ++n)
    file << data.samples(0, n) << ',' << data.samples(1, n) << ',' << data.targets(n) << '\n';
}

Result done(Job job) {
  Run run(std::move(job));
  return run.execute();
}

TEST(StreamsOfAJob, AreLearnedFromAsByTheFit) {
  const std::vector<TargetedSamples> data = some_data();
  const Result result = done(job_of(data));
  LocalEngine engine;
  const online_kernel::Fit fit =
      fit_online_kernel(engine, make_topology("complete", nodes, 0), streams_of(data), some_options());
  EXPECT_EQ(result.nodes, nodes);
  EXPECT_EQ(result.samples, nodes * 300);
  EXPECT_FALSE(result.converged);
  EXPECT_FALSE(result.decision) << "nobody asked for a page";
  ASSERT_EQ(result.models.size(), static_cast<std::size_t>(nodes));
  for (const NodeModel& model : result.models) {
    const ModelFile file = model.make();
    const KernelMachine& machine = require_machine(file.answer());
    const KernelMachine expected = machine_of(fit.at(model.node));
    EXPECT_EQ(machine.points, expected.points);
    EXPECT_EQ(machine.weights, expected.weights);
  }
}

TEST(StreamsOfAJob, AreTestedWithAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "test.csv";
  write_csv(path, Mixtures(1).draw(200, 9));
  Job job = job_with("test", path);
  job.options.emplace_back("test-labels", "label");
  const Result result = done(std::move(job));
  ASSERT_TRUE(result.confusion);
  ASSERT_EQ(result.confusion->counts.size(), static_cast<std::size_t>(Mixtures::classes));
  std::int64_t right = 0;
  std::int64_t all = 0;
  for (std::size_t row = 0; row < result.confusion->rows.size(); ++row) {
    right += result.confusion->counts[row][row];
    for (const std::int64_t count : result.confusion->counts[row]) all += count;
  }
  EXPECT_EQ(all, nodes * 200);
  EXPECT_NEAR(static_cast<double>(right) / static_cast<double>(all),
              mean_over_nodes(result.quality.at("accuracy"))(0), 1e-12);
}

TEST(StreamsOfAJob, AreDrawnForAPage) {
  const Result result = done(job_with("report", true));
  ASSERT_TRUE(result.decision);
  EXPECT_EQ(result.decision->nodes.size(), static_cast<std::size_t>(nodes));
}

TEST(StreamsOfAJob, CanBeReadOnce) {
  expect_error(ErrorCategory::InvalidArgument, {"read once", "--passes"},
               [] { done(job_with("passes", 2)); });
  expect_error(ErrorCategory::InvalidArgument,
               {"labels that a stream of the job will bring are not known", "--classes"}, [] {
                 online_kernel::Options options = some_options();
                 options.classes = {};
                 Job job = Job::of(options);
                 job.data.streams = streams_of(some_data());
                 done(std::move(job));
               });
}

TEST(StreamsOfAJob, StandWhereArraysCannot) {
  const Samples samples = Samples::Ones(2, 10);
  Job job = Job::of(some_options());
  job.data.arrays.emplace_back(samples);
  job.options.emplace_back("nodes", 2);
  expect_error(ErrorCategory::InvalidArgument, {"streams, not from arrays"}, [&] { done(std::move(job)); });
}

// After its end: there is nothing left to learn, and the answer is the same.
TEST(StreamsOfAJob, GoOnFromACheckpoint) {
  const TemporaryFolder folder;
  const std::string states = folder.path() / "states";
  const std::vector<TargetedSamples> data = some_data();
  const auto run = [&](bool resume) {
    Job job = job_of(data);
    job.options = {{"checkpoint", states}, {"checkpoint-every", 32}, {"resume", resume}};
    return done(std::move(job));
  };
  const Result whole = run(false);
  expect_error(ErrorCategory::InvalidArgument, {"another run", "--resume"}, [&] { run(false); });
  const Result resumed = run(true);
  ASSERT_EQ(resumed.faults.size(), 1u);
  EXPECT_EQ(resumed.faults[0].what, "resumed");
  EXPECT_EQ(resumed.samples, whole.samples);
  for (std::size_t node = 0; node < whole.models.size(); ++node) {
    const ModelFile file = resumed.models[node].make();
    const ModelFile expected = whole.models[node].make();
    EXPECT_EQ(require_machine(file.answer()).weights, require_machine(expected.answer()).weights);
  }
}

}  // namespace
}  // namespace choir
