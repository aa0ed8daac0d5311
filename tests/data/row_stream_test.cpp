#include "choir/data/row_stream.h"

#include <algorithm>
#include <limits>

#include "data/stream_support.h"
#include <rapidcheck.h>

#include "choir/data/npy_stream.h"

namespace choir {
namespace {

// Counts from 0, one feature, the target is the square.
class Counting : public RowSource {
 public:
  explicit Counting(std::uint64_t rows, bool can_rewind = true) : rows_(rows), can_rewind_(can_rewind) {}

  const std::string& name() const override { return name_; }
  Index features() const override { return 1; }
  bool has_targets() const override { return true; }
  bool can_rewind() const override { return can_rewind_; }
  Index read(Index count, std::span<double> samples, std::span<double> targets) override {
    const auto got = std::min(static_cast<std::uint64_t>(count), rows_ - at_);
    for (std::size_t n = 0; n < got; ++n, ++at_) {
      samples[n] = static_cast<double>(at_);
      targets[n] = samples[n] * samples[n];
    }
    return static_cast<Index>(got);
  }
  std::uint64_t skip(std::uint64_t count) override {
    const std::uint64_t passed = std::min(count, rows_ - at_);
    at_ += passed;
    return passed;
  }
  void rewind() override { at_ = 0; }

 private:
  std::string name_ = "numbers";
  std::uint64_t rows_;
  bool can_rewind_;
  std::uint64_t at_ = 0;
};

RowStream counting(std::uint64_t rows, const StreamOptions& options) {
  return {std::make_unique<Counting>(rows), options};
}

// What the options promise, written down the slow way.
std::vector<double> expected(Index rows, const StreamOptions& options) {
  std::vector<double> values;
  for (Index pass = 0; pass < options.passes; ++pass) {
    for (Index row = 0; row < rows; ++row) {
      if (row % options.stride == options.offset) values.push_back(static_cast<double>(row));
    }
  }
  return values;
}

TEST(RowStream, GivesEveryStrideSampleOfEveryPassWhateverTheBatches) {
  EXPECT_TRUE(rc::check([] {
    StreamOptions options;
    const auto rows = *rc::gen::inRange<Index>(0, 40);
    options.passes = *rc::gen::inRange<Index>(1, 4);
    options.stride = *rc::gen::inRange<Index>(1, 6);
    options.offset = *rc::gen::inRange<Index>(0, options.stride);
    const std::vector<double> truth = expected(rows, options);

    RowStream stream = counting(static_cast<std::uint64_t>(rows), options);
    std::size_t at = 0;
    while (true) {
      if (*rc::gen::arbitrary<bool>()) {
        const auto count = *rc::gen::inRange<std::uint64_t>(0, 12);
        const std::uint64_t passed = stream.skip(count);
        RC_ASSERT(passed == std::min<std::uint64_t>(count, truth.size() - at));
        at += passed;
      }
      const auto count = *rc::gen::inRange<Index>(1, 12);
      const auto batch = stream.next(count);
      RC_ASSERT(batch.has_value() == (at < truth.size()));
      if (!batch) break;
      RC_ASSERT(batch->samples.cols() == std::min(count, static_cast<Index>(truth.size() - at)));
      for (Index n = 0; n < batch->samples.cols(); ++n, ++at) {
        RC_ASSERT(batch->samples(0, n) == truth[at]);
        RC_ASSERT(batch->targets[n] == truth[at] * truth[at]);
      }
    }
  }));
}

TEST(RowStream, IsNotFooledByCountsWithoutBounds) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(counting(1000, {.passes = 3, .stride = 7, .offset = 5}).skip(most), 3u * 143u);
  RowStream stream = counting(10, {});
  EXPECT_EQ(stream.next(std::numeric_limits<Index>::max())->samples.cols(), 10);
  EXPECT_FALSE(counting(3, {.passes = std::numeric_limits<Index>::max(), .stride = 5, .offset = 4}).next(1));
}

TEST(RowStream, CountsTheRowsOfTheFileInItsSentences) {
  for (const Index count : {1, 2, 4}) {
    RowStream stream(open_npy_rows(fixture("nan.npy")), {});
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { drain(stream, count); }),
                HasSubstr("nan.npy: row 3, column 2 is NaN"));
  }
  RowStream second(open_npy_rows(fixture("nan.npy")), {.stride = 2});
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { drain(second, 3); }),
              HasSubstr("row 3, column 2 is NaN"));
  RowStream others(open_npy_rows(fixture("nan.npy")), {.stride = 2, .offset = 1});
  EXPECT_EQ(drain(others, 3).samples.cols(), 2);
}

// Records whose number is a multiple of `period` are bad, and say so when they are read.
class SometimesBad : public Counting {
 public:
  SometimesBad(std::uint64_t rows, std::uint64_t period) : Counting(rows), period_(period) {}
  Index read(Index count, std::span<double> samples, std::span<double> targets) override {
    const Index got = Counting::read(count, samples, targets);
    for (Index n = 0; n < got; ++n) {
      if (is_bad(samples[static_cast<std::size_t>(n)]))
        throw BadRow(
            Error(ErrorCategory::BadData, fmt::format("row {}", samples[static_cast<std::size_t>(n)])));
    }
    return got;
  }
  bool is_bad(double row) const { return static_cast<std::uint64_t>(row) % period_ == 0; }

 private:
  std::uint64_t period_;
};

// Another stream that skips as many records as the first one has read goes on where it was.
TEST(RowStream, PassesOverBadRecordsAndKnowsWhereItIs) {
  EXPECT_TRUE(rc::check([] {
    StreamOptions options{.on_bad_record = BadRecord::skip};
    const auto rows = *rc::gen::inRange<std::uint64_t>(1, 60);
    const auto period = *rc::gen::inRange<std::uint64_t>(2, 7);
    options.passes = *rc::gen::inRange<Index>(1, 3);
    options.stride = *rc::gen::inRange<Index>(1, 4);
    options.offset = *rc::gen::inRange<Index>(0, options.stride);
    const auto open = [&] { return RowStream(std::make_unique<SometimesBad>(rows, period), options); };
    const SometimesBad bad(rows, period);
    std::vector<double> truth;
    for (const double row : expected(static_cast<Index>(rows), options)) {
      if (!bad.is_bad(row)) truth.push_back(row);
    }
    RC_PRE(!truth.empty());
    RowStream stream = open();
    std::uint64_t given = 0;
    const auto count = *rc::gen::inRange<Index>(1, 9);
    while (const auto batch = stream.next(count)) {
      for (Index n = 0; n < batch->samples.cols(); ++n) RC_ASSERT(batch->samples(0, n) == truth[given++]);
      const auto back = *rc::gen::inRange<std::uint64_t>(0, given + 1);
      RowStream again = open();
      const std::uint64_t records = back + stream.bad_before(back);
      RC_ASSERT(again.skip(records) == records);
      const auto next = back < truth.size() ? again.next(1) : std::nullopt;
      if (next) RC_ASSERT(next->samples(0, 0) == truth[back]);  // what RC_ASSERT is given is evaluated whole
    }
    RC_ASSERT(given == truth.size());
    RC_ASSERT(stream.bad_before(all_samples) ==
              expected(static_cast<Index>(rows), options).size() - truth.size());
    RC_ASSERT(stream.first_bad().size() <= 3u);
  }));
}

TEST(RowStream, PassesOverNumbersThatCannotBeUsed) {
  RowStream stream(open_npy_rows(fixture("nan.npy")), {.on_bad_record = BadRecord::skip});
  const Index all = RowStream(open_npy_rows(fixture("float64.npy")), {}).next(100)->samples.cols();
  EXPECT_EQ(drain(stream, 2).samples.cols(), all - 1);
  EXPECT_THAT(stream.first_bad(), ElementsAre(HasSubstr("nan.npy: row 3, column 2 is NaN")));
  RowStream labels = counting(4, {.targets = integer_labels({0, 1, 9}), .on_bad_record = BadRecord::skip});
  EXPECT_EQ(drain(labels, 2).targets, (Vector(3) << 0, 1, 9).finished());
  EXPECT_THAT(labels.first_bad(), ElementsAre(HasSubstr("row 3 has the target 4, which is not one of")));
}

TEST(RowStream, RefusesASourceWithoutAGoodRecord) {
  RowStream stream(std::make_unique<SometimesBad>(5, 1), {.on_bad_record = BadRecord::skip});
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { stream.next(2); }),
              HasSubstr("none of the 5 records that numbers begins with can be used; the first: row 0"));
  RowStream endless(std::make_unique<SometimesBad>(~std::uint64_t{0}, 1), {.on_bad_record = BadRecord::skip});
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { endless.next(2); }),
              HasSubstr("none of the 100 records"));
  RowStream strict(std::make_unique<SometimesBad>(5, 4), {});
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { strict.next(2); }), HasSubstr("row 0"));
}

TEST(RowStream, RefusesOptionsThatMakeNoSense) {
  const auto refusal = [](const StreamOptions& options) {
    return sentence(ErrorCategory::InvalidArgument, [&] { counting(5, options); });
  };
  EXPECT_THAT(refusal({.passes = 0}), HasSubstr("0 passes over numbers"));
  EXPECT_THAT(refusal({.stride = 0}), HasSubstr("stride must be at least 1"));
  EXPECT_THAT(refusal({.stride = 3, .offset = 3}), HasSubstr("offset below it"));
  EXPECT_THAT(refusal({.offset = -1}), HasSubstr("offset below it"));
  const auto twice = [] { RowStream(std::make_unique<Counting>(5, false), {.passes = 2}); };
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, twice), HasSubstr("numbers can be read only once"));
  RowStream stream = counting(5, {});
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { stream.next(0); }), HasSubstr("at least 1"));
}

}  // namespace
}  // namespace choir
