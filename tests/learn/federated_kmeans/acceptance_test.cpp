#include "choir/learn/federated_kmeans/acceptance.h"

#include <limits>

#include "codec/support.h"
#include <gtest/gtest.h>

namespace choir::federated_kmeans {
namespace {

std::string said(const auto& act) { return sentence(ErrorCategory::BadData, act); }

TEST(Acceptance, MatricesHaveTheRowsThatAreKnownAndNoMoreColumnsThanAllowed) {
  const Told told{3, "landmarks"};
  const Allowed allowed{.rows = 2, .most_columns = 4};
  require_matrix(told, Matrix::Ones(2, 4), allowed);
  EXPECT_THAT(said([&] { require_matrix(told, Matrix::Ones(2, 5), allowed); }),
              HasSubstr("device 3 was sent 2 x 5 numbers as landmarks"));
  EXPECT_THAT(said([&] { require_matrix(told, Matrix::Ones(3, 1), allowed); }), HasSubstr("3 x 1"));
  EXPECT_THAT(said([&] { require_matrix(told, Matrix(2, 0), allowed); }), HasSubstr("2 x 0"));
  Matrix spoilt = Matrix::Ones(2, 2);
  spoilt(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(said([&] { require_matrix(told, spoilt, allowed); }), HasSubstr("not finite"));
}

// Whatever the options, all restarts fit into one question, and so do all swaps of a round and the runs that
// swaps have left at the end.
TEST(Acceptance, CentresOfAllRestartsAndSwapsAreAllowed) {
  for (const std::optional<Index> clusters :
       {std::optional<Index>(2), std::optional<Index>(20), std::optional<Index>()}) {
    for (const std::optional<Index> restarts : {std::optional<Index>(3), std::optional<Index>()}) {
      for (const Index rank : {1, 4, 20, 100, 1000}) {
        Options options;
        options.n_clusters = clusters;
        options.restarts = restarts;
        for (Index tried = 2; tried <= options.max_clusters; ++tried) {
          const Index one =
              clusters ? *clusters : tried * (tried + 1) / 2 - 1;  // numbers of clusters up to `tried`
          const Index begun = restart_count(options, one, rank) * one;
          EXPECT_LE(begun + 12 * one, most_centres(options, rank)) << rank;
        }
      }
    }
  }
}

TEST(Acceptance, ThousandsOfCentresAreNot) {
  Options options;  // 10 clusters
  const Index rank = 60;
  require_runs(1, RunCentres::of({Matrix::Ones(rank, 10)}), rank, options);
  EXPECT_THAT(said([&] { require_runs(1, RunCentres::of({Matrix::Ones(rank, 12'000)}), rank, options); }),
              HasSubstr("device 1 was sent 60 x 12000 numbers as centres"));
  EXPECT_THAT(said([&] {
                require_runs(1, RunCentres::of(std::vector<Matrix>(1200, Matrix::Ones(rank, 10))), rank,
                             options);
              }),
              HasSubstr("60 x 12000"));
  EXPECT_THAT(said([&] { require_runs(1, RunCentres::of({Matrix::Ones(rank, 40)}), rank, options); }),
              HasSubstr("the sums of 40 clusters"));
  options.n_clusters.reset();
  EXPECT_THAT(said([&] { require_runs(1, RunCentres::of({Matrix::Ones(rank, 11)}), rank, options); }),
              HasSubstr("the sums of 11 clusters"));
}

TEST(Acceptance, EmbeddedSamplesAreDrawnForOneSeedingOnly) {
  Options options;
  for (const Word word : {Word::draw, Word::cost, Word::weigh})
    EXPECT_THAT(said([&] { require_possible(4, word, options); }), HasSubstr("device 4"));
  require_possible(4, Word::lloyd, options);
  options.seeding = Seeding::parallel;
  require_possible(4, Word::draw, options);
}

TEST(Acceptance, AStatisticBelongsToOneRoundOfAStep) {
  Statistics statistics;
  statistics.take_up(3, Word::gram, 1, 7);
  statistics.take_up(3, Word::gram, 1, 7);
  statistics.take_up(3, Word::gram, 2, 8);
  for (const Index round : {8, 9}) statistics.take_up(3, Word::lloyd, 2, round);
  EXPECT_THAT(said([&] { statistics.take_up(3, Word::gram, 2, 9); }),
              HasSubstr("device 3 was asked in round 9 for a statistic that round 8 has summed"));
}

}  // namespace
}  // namespace choir::federated_kmeans
