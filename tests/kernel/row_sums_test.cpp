#include "choir/kernel/row_sums.h"

#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

Vector row_sums(const Kernel& kernel, const Samples& x, int threads, const Watch& watch = {}) {
  const TileKernel<double> evaluate(kernel);
  const auto room = [](Index, std::vector<double>& scratch) {
    scratch.resize(128 * 128);
    return scratch.data();
  };
  const PreparedSamples<double> prepared = evaluate.prepare(x, evaluate.pivot(x), threads);
  return evaluate_triangle<double>(x.cols(), writer_of(evaluate, prepared), triangle_tiles(x.cols()), room,
                                   threads, watch);
}

TEST(RowSums, AreThoseOfTheWholeMatrixOnAnyNumberOfThreads) {
  const Samples x = normal_samples(3, 500, 110);
  const Kernel kernel{.gamma = 0.2};
  const Vector one = row_sums(kernel, x, 1);
  EXPECT_LE(largest_difference(one, plain_gram(kernel, x, x).rowwise().sum()), 1e-11);
  for (const int threads : {2, 5}) EXPECT_EQ(row_sums(kernel, x, threads), one);
}

TEST(RowSums, StopOnRequestWhileThreadsWork) {
  const Samples x = normal_samples(3, 500, 111);
  std::stop_source stop;
  const Watch watch{.progress =
                        [&](const Progress& p) {
                          if (p.done == 3) stop.request_stop();
                        },
                    .stop = stop.get_token()};
  EXPECT_THAT(message_of([&] { row_sums({}, x, 3, watch); }), ::testing::HasSubstr("stopped"));
}

}  // namespace
}  // namespace choir
