#include <atomic>
#include <numeric>
#include <random>
#include <thread>

#include "data/stream_support.h"
#include <rapidcheck.h>

namespace choir {
namespace {

// Samples 0, 1, 2, ...; the target of n is -n.
TargetedSamples counting(Index count) {
  TargetedSamples all{.samples = Samples(1, count), .targets = Vector(count)};
  for (Index n = 0; n < count; ++n) all.samples(0, n) = static_cast<double>(n);
  all.targets = -all.samples.row(0).transpose();
  return all;
}

TEST(DealStream, GivesEveryReaderItsTurnWhateverTheOrderOfAsking) {
  EXPECT_TRUE(rc::check([] {
    const auto readers = *rc::gen::inRange<Index>(1, 6);
    const auto count = *rc::gen::inRange<Index>(1, 100);
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    const auto below = [&](Index bound) {
      return static_cast<Index>(random() % static_cast<unsigned>(bound));
    };
    const auto streams = deal_stream(stream_of(counting(count)), readers);
    std::vector<Index> next(static_cast<std::size_t>(readers));
    std::iota(next.begin(), next.end(), 0);
    for (Index done = 0; done < readers;) {
      const auto reader = static_cast<std::size_t>(below(readers));
      if (next[reader] < 0) continue;
      if (below(4) == 0) {
        const auto passed = streams[reader]->skip(3);
        const Index left = std::max<Index>(0, (count - next[reader] + readers - 1) / readers);
        RC_ASSERT(passed == static_cast<std::uint64_t>(std::min<Index>(3, left)));
        next[reader] += readers * static_cast<Index>(passed);
      }
      const auto batch = streams[reader]->next(1 + below(8));
      if (!batch) {
        RC_ASSERT(next[reader] >= count);
        next[reader] = -1;
        ++done;
        continue;
      }
      for (Index n = 0; n < batch->samples.cols(); ++n, next[reader] += readers) {
        RC_ASSERT(batch->samples(0, n) == static_cast<double>(next[reader]));
        RC_ASSERT(batch->targets[n] == -static_cast<double>(next[reader]));
      }
    }
  }));
}

TEST(DealStream, MayBeReadFromSeveralThreads) {
  constexpr Index readers = 4, count = 20'000;
  const auto streams = deal_stream(stream_of(counting(count)), readers);
  std::atomic<Index> right = 0;
  std::vector<std::thread> threads;
  for (Index r = 0; r < readers; ++r) {
    threads.emplace_back([&, r] {
      Index expected = r;
      while (const auto batch = streams[static_cast<std::size_t>(r)]->next(1 + r * 5)) {
        for (Index n = 0; n < batch->samples.cols(); ++n, expected += readers)
          right += batch->samples(0, n) == static_cast<double>(expected) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, count);
}

TEST(DealStream, KeepsNothingForAReaderThatHasLeft) {
  auto streams = deal_stream(stream_of(counting(10)), 3);
  EXPECT_EQ(streams[0]->next(1)->samples(0, 0), 0);
  streams[1].reset();
  EXPECT_EQ(drain(*streams[0], 2).samples, (Samples(1, 3) << 3, 6, 9).finished());
  EXPECT_EQ(drain(*streams[2], 2).samples, (Samples(1, 3) << 2, 5, 8).finished());
}

TEST(DealStream, NeedsNoTargets) {
  const auto streams = deal_stream(stream_of({.samples = table(0), .targets = {}}), 2);
  EXPECT_EQ(drain(*streams[1], 3).targets.size(), 0);
}

TEST(DealStream, ShowsAnErrorToEveryReaderAfterWhatCameBefore) {
  const TextFile file("0\n1\n2\n3\n4\nx\n");
  const auto streams = deal_stream(open_stream(file.source()), 2);
  for (const auto& stream : streams) {
    const auto read = [&] {
      while (stream->next(1)) {
      }
    };
    EXPECT_THAT(sentence(ErrorCategory::BadData, read), HasSubstr("line 6"));
    EXPECT_THAT(sentence(ErrorCategory::BadData, read), HasSubstr("line 6"));
  }
}

TEST(DealStream, LetsTheFirstReaderAnswerForBadRecords) {
  const TextFile file("0\n1\nx\n2\n3\n");
  const auto streams = deal_stream(open_stream(file.source(), {.on_bad_record = BadRecord::skip}), 2);
  EXPECT_EQ(drain(*streams[0], 2).samples, (Samples(1, 2) << 0, 2).finished());
  EXPECT_EQ(drain(*streams[1], 2).samples, (Samples(1, 2) << 1, 3).finished());
  EXPECT_EQ(streams[0]->bad_before(all_samples), 1u);
  EXPECT_THAT(streams[0]->first_bad(), ElementsAre(HasSubstr("line 3")));
  EXPECT_EQ(streams[1]->bad_before(all_samples), 0u);
  EXPECT_TRUE(streams[1]->first_bad().empty());
}

TEST(DealStream, RefusesToDealToNobody) {
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { deal_stream(stream_of(counting(1)), 0); }),
              HasSubstr("0 readers"));
}

}  // namespace
}  // namespace choir
