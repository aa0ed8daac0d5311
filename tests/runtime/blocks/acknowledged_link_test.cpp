#include "choir/runtime/blocks/acknowledged_link.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

using std::chrono::milliseconds;

Time at(int time) { return Time(milliseconds(time)); }

Message letter(std::int64_t content) {
  Message message(Kind::own_statistics);
  message.integer(content);
  return message;
}

std::vector<std::uint64_t> numbers(const std::vector<Message>& messages) {
  std::vector<std::uint64_t> result;
  for (const Message& message : messages) result.push_back(message.round());
  return result;
}

TEST(AcknowledgedSender, NumbersMessagesAndKeepsTheirChannel) {
  AcknowledgedSender sender(milliseconds(10));
  const Message first = sender.wrap(letter(5).on(7, 99), at(0));
  EXPECT_EQ(first.round(), 0u);
  EXPECT_EQ(first.channel(), 7u);
  EXPECT_EQ(first.integer(0), 5);
  EXPECT_EQ(sender.wrap(letter(6), at(0)).round(), 1u);
}

TEST(AcknowledgedSender, RepeatsAfterTimesThatDoubleUpToSixteenfold) {
  AcknowledgedSender sender(milliseconds(10));
  sender.wrap(letter(0), at(0));
  std::vector<int> repeated;
  for (int time = 0; time < 700; ++time) {
    if (!sender.overdue(at(time)).empty()) repeated.push_back(time);
  }
  EXPECT_EQ(repeated, (std::vector<int>{10, 30, 70, 150, 310, 470, 630}));
}

TEST(AcknowledgedSender, RepeatsTheOldestAndWhatWasOvertaken) {
  AcknowledgedSender sender(milliseconds(10));
  EXPECT_EQ(sender.next_due(), Time::max());
  for (int i = 0; i < 5; ++i) sender.wrap(letter(i), at(i));
  EXPECT_EQ(sender.next_due(), at(10));
  EXPECT_EQ(numbers(sender.overdue(at(20))), (std::vector<std::uint64_t>{0}))
      << "the others may be on their way";
  sender.acknowledge(2);
  EXPECT_EQ(sender.next_due(), at(11));
  EXPECT_EQ(numbers(sender.overdue(at(20))), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(numbers(sender.overdue(at(40))), (std::vector<std::uint64_t>{0, 1}));
  sender.acknowledge(0);
  sender.acknowledge(1);
  EXPECT_EQ(numbers(sender.overdue(at(41))), (std::vector<std::uint64_t>{3})) << "now it is the oldest";
}

TEST(AcknowledgedSender, HandsBackExactlyWhatWasNotAcknowledged) {
  AcknowledgedSender sender(milliseconds(10));
  for (int i = 0; i < 4; ++i) sender.wrap(letter(i), at(0));
  sender.acknowledge(1);
  sender.acknowledge(1);
  sender.acknowledge(77);
  EXPECT_FALSE(sender.all_acknowledged());
  EXPECT_EQ(numbers(sender.abandon()), (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_TRUE(sender.all_acknowledged());
  EXPECT_TRUE(sender.overdue(at(1000)).empty());
}

TEST(AcknowledgedSender, TakesOneWordForAllThatArrived) {
  AcknowledgedSender sender(milliseconds(10));
  AcknowledgedReceiver receiver;
  for (int i = 0; i < 5; ++i) sender.wrap(letter(i), at(0));
  for (const std::uint64_t number : {4u, 0u, 1u}) receiver.is_new(number);
  EXPECT_EQ(receiver.all_below(), 2u) << "2 is missing";
  sender.acknowledge_below(receiver.all_below());
  EXPECT_EQ(numbers(sender.abandon()), (std::vector<std::uint64_t>{2, 3, 4}));
  EXPECT_TRUE(sender.all_acknowledged());
}

TEST(AcknowledgedReceiver, TakesEveryNumberOnceInAnyOrder) {
  AcknowledgedReceiver receiver;
  for (const std::uint64_t number : {3, 0, 1, 5, 2, 4}) EXPECT_TRUE(receiver.is_new(number)) << number;
  for (const std::uint64_t number : {3, 0, 1, 5, 2, 4}) EXPECT_FALSE(receiver.is_new(number)) << number;
  EXPECT_TRUE(receiver.is_new(6));
}

// A network in a loop: half of everything is lost, a third doubled, the order drawn.
TEST(AcknowledgedLink, DeliversExactlyOnceOverALinkThatLosesDoublesAndReorders) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed, Purpose("test-link"));
    AcknowledgedSender sender(milliseconds(1));
    AcknowledgedReceiver receiver;
    std::vector<Message> in_flight;
    std::vector<std::int64_t> delivered;
    const auto transmit = [&](const Message& message) {
      for (int copies = rng.uniform() < 0.3 ? 2 : 1; copies > 0; --copies) {
        if (rng.uniform() < 0.5) in_flight.push_back(message);
      }
    };
    for (int time = 0; time < 50 || !sender.all_acknowledged(); ++time) {
      ASSERT_LT(time, 5000);
      if (time < 50) transmit(sender.wrap(letter(time), at(time)));
      for (const Message& again : sender.overdue(at(time))) transmit(again);
      if (in_flight.empty()) continue;
      std::swap(in_flight[rng.below(in_flight.size())], in_flight.back());
      const Message arrived = in_flight.back();
      in_flight.pop_back();
      if (receiver.is_new(arrived.round())) delivered.push_back(arrived.integer(0));
      if (rng.uniform() < 0.5) sender.acknowledge(arrived.round());
    }
    std::sort(delivered.begin(), delivered.end());
    ASSERT_EQ(delivered.size(), 50u);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(delivered[i], static_cast<std::int64_t>(i));
  }
}

TEST(AcknowledgedLink, WhatWasAbandonedIsVoidAtTheReceiver) {
  AcknowledgedSender out(milliseconds(50));
  AcknowledgedReceiver in;
  EXPECT_EQ(out.void_below(), 0u);
  const Message lost = out.wrap(Message(Kind::own_statistics), Time{});
  const Message late = out.wrap(Message(Kind::own_statistics), Time{});
  EXPECT_EQ(out.abandon().size(), 2u);
  EXPECT_EQ(out.void_below(), 2u);
  const Message after = out.wrap(Message(Kind::own_statistics), Time{});
  EXPECT_TRUE(in.is_new(after.round()));
  EXPECT_FALSE(in.has_all_below(3));
  in.skip_below(out.void_below());
  EXPECT_TRUE(in.has_all_below(3)) << "nobody waits for what will not come";
  EXPECT_FALSE(in.is_new(late.round())) << "it was taken back";
  EXPECT_FALSE(in.is_new(lost.round()));
}

Index repetitions_in_five_seconds(AcknowledgedSender& out) {
  out.wrap(Message(Kind::own_statistics), Time{});
  Index count = 0;
  for (Time now{}; now < Time(std::chrono::seconds(5)); now += milliseconds(10))
    count += static_cast<Index>(out.overdue(now).size());
  return count;
}

TEST(AcknowledgedLink, AsksPromptNeighboursOftenAndSlowOnesSeldom) {
  AcknowledgedSender prompt(milliseconds(50));
  prompt.acknowledge(prompt.wrap(Message(Kind::own_statistics), Time{}).round());
  EXPECT_GT(repetitions_in_five_seconds(prompt), 40);
  AcknowledgedSender slow(milliseconds(50));
  const std::uint64_t number = slow.wrap(Message(Kind::own_statistics), Time{}).round();
  slow.acknowledge(number);
  slow.acknowledge(number);  // the answer to a copy
  EXPECT_LT(repetitions_in_five_seconds(slow), 12);
}

TEST(AcknowledgedLink, KnowsWhetherOnlyControlIsPending) {
  AcknowledgedSender out(milliseconds(50));
  out.wrap(Message(Kind::control), Time{});
  EXPECT_TRUE(out.only_control_is_pending());
  out.wrap(Message(Kind::own_statistics), Time{});
  EXPECT_FALSE(out.only_control_is_pending());
}

}  // namespace
}  // namespace choir
