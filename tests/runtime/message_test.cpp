#include "choir/runtime/message.h"

#include "graph/expect_error.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using ::testing::IsEmpty;

Message full_message() {
  Message message(Kind::coefficients);
  message.integer(3).integer(-4).number(0.5).array(Matrix::Ones(2, 2).eval());
  return message;
}

TEST(Message, KeepsWhatWasAppendedInOrder) {
  const Message message = full_message();
  EXPECT_EQ(message.kind(), Kind::coefficients);
  EXPECT_THAT(message.integers(), ElementsAre(3, -4));
  EXPECT_THAT(message.numbers(), ElementsAre(0.5));
  EXPECT_EQ(message.integer(1), -4);
  EXPECT_EQ(message.number(0), 0.5);
  EXPECT_EQ(message.array(0).matrix(), Matrix::Ones(2, 2));
}

TEST(Message, IsEmptyAtFirst) {
  const Message message(Kind::control);
  EXPECT_THAT(message.integers(), IsEmpty());
  EXPECT_THAT(message.numbers(), IsEmpty());
  EXPECT_THAT(message.arrays(), IsEmpty());
  EXPECT_EQ(message.channel(), exchange_channel);
  EXPECT_EQ(message.round(), 0u);
}

TEST(Message, CopiesShareTheirArrays) {
  const Message message = full_message();
  const Message copy = message;
  EXPECT_EQ(copy.arrays().data(), message.arrays().data());
  EXPECT_EQ(copy.array(0).data(), message.array(0).data());
}

TEST(Message, AppendingToACopyLeavesTheOriginalAloneAndStillSharesTheValues) {
  const Message message = full_message();
  Message copy = message;
  copy.integer(5).number(1.5).array(Matrix::Zero(1, 1).eval());
  EXPECT_THAT(message.integers(), ElementsAre(3, -4));
  EXPECT_THAT(message.numbers(), ElementsAre(0.5));
  EXPECT_EQ(message.arrays().size(), 1u);
  EXPECT_THAT(copy.integers(), ElementsAre(3, -4, 5));
  EXPECT_EQ(copy.arrays().size(), 2u);
  EXPECT_EQ(copy.array(0).data(), message.array(0).data());
}

TEST(Message, ChannelAndRoundBelongToEachCopyAlone) {
  const Message message = full_message();
  Message copy = message;
  copy.on(4, 9);
  EXPECT_EQ(message.channel(), exchange_channel);
  EXPECT_EQ(copy.channel(), 4u);
  EXPECT_EQ(copy.round(), 9u);
  EXPECT_EQ(copy.arrays().data(), message.arrays().data());
}

TEST(Message, RefusesMoreThanItHolds) {
  Message message(Kind::control);
  for (std::size_t i = 0; i < Message::max_header; ++i) message.integer(1).number(1);
  expect_error(ErrorCategory::InvalidArgument, {"6 integers"}, [&] { message.integer(1); });
  expect_error(ErrorCategory::InvalidArgument, {"6 numbers"}, [&] { message.number(1); });
  const Array array(Matrix(1, 1));
  for (std::size_t i = 0; i < Message::max_arrays; ++i) message.array(array);
  expect_error(ErrorCategory::InvalidArgument, {"255 arrays"}, [&] { message.array(array); });
  EXPECT_EQ(message.integers().size(), Message::max_header);
  EXPECT_EQ(message.arrays().size(), Message::max_arrays);
}

TEST(Message, RefusesToBeReadBeyondItsEnd) {
  const Message message = full_message();
  const Message empty(Kind::control);
  expect_error(ErrorCategory::BadData, {"2 integers", "at least 3"}, [&] { message.integer(2); });
  expect_error(ErrorCategory::BadData, {"1 numbers", "at least 2"}, [&] { message.number(1); });
  expect_error(ErrorCategory::BadData, {"1 arrays", "at least 5"}, [&] { message.array(4); });
  expect_error(ErrorCategory::BadData, {"0 arrays"}, [&] { empty.array(0); });
}

}  // namespace
}  // namespace choir
