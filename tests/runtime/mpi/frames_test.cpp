#include "choir/runtime/mpi/frames.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace choir {
namespace {

ByteBuffer sample_parcel() {
  ByteBuffer parcel;
  Message message(Kind::own_statistics);
  message.number(2.5).on(3, 7);
  append_message(parcel, {.from = 4, .to = 9}, message);
  append_goodbye(parcel, {.from = 5, .to = 6}, {.first_unsent_round = 12, .ended = false});
  append_failure(parcel, {.scope = Failure::Scope::overdue_node,
                          .round = 8,
                          .origin = 2,
                          .blamed_rank = 1,
                          .category = ErrorCategory::PeerLost,
                          .text = "node 2: broke"});
  return parcel;
}

TEST(Frames, ComeBackInOrderAsTheyWereWritten) {
  const auto parcel = std::make_shared<const ByteBuffer>(sample_parcel());
  FrameReader reader(*parcel);

  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->type, FrameType::message);
  EXPECT_EQ(first->from, 4);
  EXPECT_EQ(first->to, 9);
  const Message message = decode(parcel, first->offset, first->size);
  EXPECT_EQ(message.number(0), 2.5);
  EXPECT_EQ(message.round(), 7u);

  const auto second = reader.next();
  ASSERT_TRUE(second);
  const Goodbye goodbye = read_goodbye(*parcel, *second);
  EXPECT_EQ(goodbye.first_unsent_round, 12u);
  EXPECT_FALSE(goodbye.ended);

  const auto third = reader.next();
  ASSERT_TRUE(third);
  const Failure failure = read_failure(*parcel, *third);
  EXPECT_EQ(failure.scope, Failure::Scope::overdue_node);
  EXPECT_EQ(failure.round, 8u);
  EXPECT_EQ(failure.origin, 2);
  EXPECT_EQ(failure.blamed_rank, 1);
  EXPECT_EQ(failure.category, ErrorCategory::PeerLost);
  EXPECT_EQ(failure.text, "node 2: broke");
  EXPECT_FALSE(reader.next());
}

void read_everything(const ByteBuffer& bytes) {
  const auto parcel = std::make_shared<const ByteBuffer>(bytes);
  FrameReader reader(*parcel);
  while (const auto frame = reader.next()) {
    if (frame->type == FrameType::message) decode(parcel, frame->offset, frame->size);
    if (frame->type == FrameType::goodbye) read_goodbye(*parcel, *frame);
    if (frame->type == FrameType::failure) read_failure(*parcel, *frame);
  }
}

TEST(Frames, EveryTruncationWithinAFrameIsRefused) {
  const ByteBuffer whole = sample_parcel();
  std::vector<std::size_t> ends = {0};
  FrameReader reader(whole);
  while (const auto frame = reader.next()) ends.push_back(frame->offset + frame->size);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const ByteBuffer part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    if (std::find(ends.begin(), ends.end(), size) != ends.end()) {
      EXPECT_NO_THROW(read_everything(part)) << size;
    } else {
      EXPECT_THROW(read_everything(part), Error) << size;
    }
  }
}

TEST(Frames, DamagedBytesNeverReachBeyondTheParcel) {
  const bool passed = rc::check("a parcel with changed bytes is read or refused", [] {
    ByteBuffer parcel = sample_parcel();
    for (int change = *rc::gen::inRange(1, 5); change > 0; --change) {
      parcel[*rc::gen::inRange<std::size_t>(0, parcel.size())] =
          static_cast<std::byte>(*rc::gen::arbitrary<char>());
    }
    try {
      read_everything(parcel);
    } catch (const Error& error) {
      RC_ASSERT(error.category() == ErrorCategory::BadData);
    }
  });
  EXPECT_TRUE(passed);
}

TEST(Failures, RanksCountBeforeNodesThenTheLowerRoundThenTheLowerId) {
  const Failure rank_3{.scope = Failure::Scope::rank, .origin = 3, .text = {}};
  const Failure rank_1{.scope = Failure::Scope::rank, .origin = 1, .text = {}};
  const Failure round_2_node_9{.round = 2, .origin = 9, .text = {}};
  const Failure round_5_node_0{.round = 5, .origin = 0, .text = {}};
  const Failure overdue_round_5_node_4{
      .scope = Failure::Scope::overdue_node, .round = 5, .origin = 4, .text = {}};
  const std::vector<Failure> expected = {rank_1, rank_3, round_2_node_9, round_5_node_0,
                                         overdue_round_5_node_4};
  std::vector<Failure> sorted(expected.rbegin(), expected.rend());
  std::sort(sorted.begin(), sorted.end(),
            [](const Failure& a, const Failure& b) { return a.counts_more_than(b); });
  EXPECT_EQ(sorted, expected);
}

}  // namespace
}  // namespace choir
