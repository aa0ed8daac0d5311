#include "choir/learn/federated_kmeans/opening.h"

#include <algorithm>
#include <map>

#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

namespace choir::federated_kmeans {
namespace {

constexpr Index least = 5;

// Runs of sizes 2 and 3.
std::vector<bool> opened_of(const Matrix& counts, double moved_first, double moved_second,
                            std::vector<bool> fresh) {
  Matrix tally = Matrix::Zero(2, counts.cols());
  tally.row(0) = counts;
  tally(1, 0) = moved_first;
  tally(1, 2) = moved_second;
  return opened_in_order(opened_clusters(tally, {2, 3}, {.fresh = std::move(fresh), .least = least}));
}

using Flags = std::vector<bool>;

TEST(Opening, ClustersOfFewSamplesStayClosedAndWhatIsClosedIsNotFew) {
  const Flags fresh = {true, true};
  EXPECT_EQ(opened_of(Matrix{{50, 50, 30, 40, 30}}, 0, 0, fresh), (Flags{true, true, true, true, true}));
  EXPECT_EQ(opened_of(Matrix{{96, 4, 30, 40, 30}}, 0, 0, fresh), (Flags{false, false, true, true, true}));
  EXPECT_EQ(opened_of(Matrix{{95, 5, 4, 86, 10}}, 0, 0, fresh), (Flags{true, true, false, true, false}));
  EXPECT_EQ(opened_of(Matrix{{100, 0, 3, 94, 3}}, 0, 0, fresh), (Flags{true, false, false, true, false}));
}

TEST(Opening, RunsThatHardlyChangedStayClosed) {
  const Matrix counts{{50, 50, 30, 40, 30}};
  EXPECT_EQ(opened_of(counts, 4, 5, {false, false}), (Flags{false, false, true, true, true}));
  EXPECT_EQ(opened_of(counts, 0, 4, {true, false}), (Flags{true, true, false, false, false}));
}

TEST(Opening, TalliesCountSamplesAndThoseThatMoved) {
  const Samples samples{{0, 1, 2, 8, 9, 10}};
  const RunCentres now{.points = Matrix{{1, 9, 0, 5, 10}}, .sizes = {2, 3}};
  const Matrix tally = tally_sums(samples, now, Matrix{{0, 1.9, 0, 5, 10}});  // the first run was elsewhere
  EXPECT_EQ(Matrix(tally.row(0)), (Matrix{{3, 3, 3, 0, 3}}));
  EXPECT_EQ(tally(1, 0), 2);  // samples 1 and 2 were nearer to 1.9
  EXPECT_EQ(tally(1, 2), 0);
  EXPECT_EQ(tally.row(0).sum(), 12) << "each sample once in each run";
}

// Everything that is opened over whole runs of k-means, with starts that leave clusters of single samples:
// sums are of enough samples, and so is what they leave of all, and what changed from one opening of a run to
// the next.
TEST(Opening, NoOpenedSumsAreOfFewSamplesNorAreTheirDifferences) {
  const Samples& samples = testing::small_data().samples;
  const Index r = samples.rows();
  std::vector<Matrix> starts;
  for (Index first = 0; first < 60; first += 6) starts.push_back(samples.middleCols(first, 6));
  starts.front().col(0).setConstant(40);  // nobody's
  starts.back().rightCols(2) *= 3;        // few samples'
  LloydRuns runs(starts, {});
  std::map<Index, std::vector<Index>> last;  // by run: labels at its last opening
  Index closed = 0;
  for (Index round = 0; runs.moving(); ++round) {
    ASSERT_LT(round, 300);
    std::vector<Index> moving;
    for (Index i = 0; i < runs.size(); ++i)
      if (runs.at(i).moving) moving.push_back(i);
    RunCentres centres = runs.question();
    const Matrix tally = tally_sums(samples, centres, runs.opened_before());
    centres.opened =
        opened_in_order(opened_clusters(tally, centres.sizes, {.fresh = runs.fresh(), .least = least}));
    const Matrix sums = lloyd_sums(samples, centres);
    for (std::size_t m = 0; m < moving.size(); ++m) {
      const Index at = static_cast<Index>(m) * 6;
      std::vector<Index> labels;
      Index hidden = 0;
      Index open = 0;
      for (Index n = 0; n < samples.cols(); ++n) {
        Index nearest = 0;
        (centres.points.middleCols(at, 6).colwise() - samples.col(n))
            .colwise()
            .squaredNorm()
            .minCoeff(&nearest);
        labels.push_back(nearest);
        hidden += !centres.is_open(at + nearest);
      }
      for (Index c = 0; c < 6; ++c) {
        const auto size = std::ranges::count(labels, c);
        if (centres.is_open(at + c)) {
          ++open;
          EXPECT_GE(size, least);
          EXPECT_EQ(sums(r, at + c), static_cast<double>(size));
        } else {
          EXPECT_EQ(sums.col(at + c).head(r + 1).norm(), 0) << "nothing of a closed cluster";
        }
      }
      EXPECT_TRUE(hidden == 0 || hidden >= least) << hidden;
      if (open > 0 && last.contains(moving[m])) {
        Index moved = 0;
        for (std::size_t n = 0; n < labels.size(); ++n) moved += labels[n] != last[moving[m]][n];
        EXPECT_GE(moved, least);
      }
      if (open > 0) last[moving[m]] = labels;
      closed += 6 - open;
    }
    runs.absorb(completed(sums, tally, centres), LloydRuns::Sums::exact, centres.opened);
  }
  EXPECT_GT(closed, 0);
  const RunCentres all = runs.all();
  const Matrix truth = lloyd_sums(samples, all);
  for (Index i = 0; i < runs.size(); ++i)
    EXPECT_NEAR(runs.at(i).inertia, truth.row(r + 1).segment(6 * i, 6).sum(), 1e-3 * runs.at(i).inertia) << i;
}

}  // namespace
}  // namespace choir::federated_kmeans
