#include "choir/runtime/mailbox.h"

#include "runtime/support.h"

namespace choir {
namespace {

const std::vector<NodeId> three_neighbors = {10, 20, 30};

Message of_round(std::uint64_t round, double value) {
  Message message = testing::number_message(value);
  message.on(exchange_channel, round);
  return message;
}

std::vector<double> take_values(Mailbox& mailbox) {
  std::vector<double> values;
  for (const Received& received : mailbox.take_round(three_neighbors)) {
    EXPECT_EQ(received.from, three_neighbors[static_cast<std::size_t>(received.position)]);
    values.push_back(received.message.number(0));
  }
  return values;
}

void put_round_of_all(Mailbox& mailbox, std::uint64_t round) {
  for (Index position = 0; position < 3; ++position) mailbox.put(position, of_round(round, 1));
}

TEST(Mailbox, ARoundIsInTheOrderOfNeighboursWhateverTheOrderOfArrival) {
  Mailbox mailbox(3);
  mailbox.put(2, of_round(0, 3));
  mailbox.put(0, of_round(0, 1));
  EXPECT_FALSE(mailbox.round_complete());
  mailbox.put(1, of_round(0, 2));
  EXPECT_TRUE(mailbox.round_complete());
  EXPECT_THAT(take_values(mailbox), ElementsAre(1, 2, 3));
  EXPECT_EQ(mailbox.round(), 1u);
  EXPECT_FALSE(mailbox.round_complete());
}

TEST(Mailbox, KeepsTheNextRoundOfAFasterNeighbour) {
  Mailbox mailbox(3);
  mailbox.put(0, of_round(0, 1));
  mailbox.put(0, of_round(1, 10));
  mailbox.put(1, of_round(0, 2));
  mailbox.put(2, of_round(0, 3));
  EXPECT_THAT(take_values(mailbox), ElementsAre(1, 2, 3));
  mailbox.put(1, of_round(1, 20));
  mailbox.put(2, of_round(1, 30));
  EXPECT_THAT(take_values(mailbox), ElementsAre(10, 20, 30));
}

TEST(Mailbox, KeepsRoundsFarAheadInOrder) {
  Mailbox mailbox(1);
  for (const std::uint64_t round : {4, 2, 0, 3, 1}) {
    mailbox.put(0, of_round(round, static_cast<double>(round)));
  }
  for (int round = 0; round < 5; ++round) {
    ASSERT_TRUE(mailbox.round_complete()) << round;
    EXPECT_THAT(take_values(mailbox), ElementsAre(round));
  }
  EXPECT_EQ(mailbox.stale() + mailbox.duplicates(), 0u);
}

TEST(Mailbox, DropsAndCountsCopiesAndStragglers) {
  Mailbox mailbox(3);
  mailbox.put(0, of_round(0, 1));
  mailbox.put(0, of_round(0, 99));
  EXPECT_EQ(mailbox.duplicates(), 1u);
  mailbox.put(1, of_round(0, 2));
  mailbox.put(2, of_round(0, 3));
  EXPECT_THAT(take_values(mailbox), ElementsAre(1, 2, 3));
  mailbox.put(1, of_round(0, 99));
  EXPECT_EQ(mailbox.stale(), 1u);
  put_round_of_all(mailbox, 1);
  EXPECT_TRUE(mailbox.round_complete());
}

TEST(Mailbox, ACopyDoesNotStandInForAMissingNeighbour) {
  Mailbox mailbox(3);
  for (int copy = 0; copy < 3; ++copy) mailbox.put(0, of_round(0, 1));
  EXPECT_FALSE(mailbox.round_complete());
}

TEST(Mailbox, GoesOnWithoutADroppedNeighbour) {
  Mailbox mailbox(3);
  mailbox.put(0, of_round(0, 1));
  mailbox.put(2, of_round(0, 3));
  mailbox.drop(1);
  EXPECT_TRUE(mailbox.lost(1));
  EXPECT_TRUE(mailbox.round_complete());
  EXPECT_THAT(take_values(mailbox), ElementsAre(1, 3));
  mailbox.put(1, of_round(1, 2));
  EXPECT_EQ(mailbox.stale(), 1u);
}

TEST(Mailbox, ForgetsWhatADroppedNeighbourHadSentAlready) {
  Mailbox mailbox(3);
  put_round_of_all(mailbox, 0);
  mailbox.put(1, of_round(1, 2));
  mailbox.put(1, of_round(5, 2));
  mailbox.drop(1);
  EXPECT_TRUE(mailbox.round_complete());
  EXPECT_EQ(take_values(mailbox).size(), 2u);
  EXPECT_FALSE(mailbox.round_complete());
  mailbox.put(0, of_round(1, 1));
  EXPECT_FALSE(mailbox.round_complete());
  mailbox.put(2, of_round(1, 1));
  EXPECT_TRUE(mailbox.round_complete());
}

TEST(Mailbox, AGoodbyeCountsFromItsRoundOn) {
  Mailbox mailbox(3);
  const Goodbye goodbye{.first_unsent_round = 1, .ended = true};
  mailbox.put(1, goodbye);
  EXPECT_FALSE(mailbox.will_not_send(1));
  mailbox.put(0, of_round(0, 1));
  mailbox.put(2, of_round(0, 3));
  EXPECT_FALSE(mailbox.round_complete()) << "its message of round 0 is still on its way";
  mailbox.put(1, of_round(0, 2));
  EXPECT_THAT(take_values(mailbox), ElementsAre(1, 2, 3));
  EXPECT_TRUE(mailbox.will_not_send(1));
  EXPECT_FALSE(mailbox.round_complete());
  mailbox.put(0, of_round(1, 1));
  mailbox.put(2, of_round(1, 3));
  EXPECT_TRUE(mailbox.round_complete());
}

TEST(Mailbox, KnowsWhoHasEndedAndWhoOnlyDroppedTheLink) {
  Mailbox mailbox(2);
  const Goodbye dropped{.first_unsent_round = 3, .ended = false};
  const Goodbye ended{.first_unsent_round = 5, .ended = true};
  mailbox.put(0, dropped);
  EXPECT_FALSE(mailbox.ended(0));
  mailbox.put(0, ended);
  EXPECT_TRUE(mailbox.ended(0));
  EXPECT_FALSE(mailbox.all_ended());
  mailbox.put(1, ended);
  EXPECT_TRUE(mailbox.all_ended());
}

TEST(Mailbox, ANodeWithoutNeighboursHasEveryRound) {
  Mailbox mailbox(0);
  EXPECT_TRUE(mailbox.round_complete());
  EXPECT_TRUE(mailbox.all_ended());
  EXPECT_TRUE(mailbox.take_round({}).empty());
  EXPECT_EQ(mailbox.round(), 1u);
}

double take_number(Mailbox& mailbox, Channel channel, Index position) {
  const std::optional<Received> taken = mailbox.take_mail(channel, position, three_neighbors);
  return taken ? taken->message.number(0) : -1;
}

TEST(Mailbox, QueuesByChannelAndSenderInOrderOfArrival) {
  Mailbox mailbox(3);
  mailbox.put(0, testing::message_on(1, 1));
  mailbox.put(1, testing::message_on(2, 2));
  mailbox.put(1, testing::message_on(1, 3));
  mailbox.put(0, testing::message_on(1, 4));
  EXPECT_FALSE(mailbox.has_mail(3, Mailbox::anyone));
  EXPECT_FALSE(mailbox.has_mail(2, 0));
  EXPECT_EQ(take_number(mailbox, 1, 1), 3);
  EXPECT_EQ(take_number(mailbox, 2, Mailbox::anyone), 2);
  EXPECT_EQ(take_number(mailbox, 1, Mailbox::anyone), 1);
  EXPECT_EQ(take_number(mailbox, 1, Mailbox::anyone), 4);
  EXPECT_EQ(take_number(mailbox, 1, Mailbox::anyone), -1);
  EXPECT_FALSE(mailbox.has_mail(1, Mailbox::anyone));
}

// Against the obvious list, over orders of putting and taking that wrap the queue's beginning many times.
TEST(Mailbox, TheQueueAgreesWithAPlainList) {
  Mailbox mailbox(3);
  std::vector<std::pair<Channel, double>> plain;
  Rng rng(1, Purpose("mailbox-test"));
  for (int i = 0; i < 20'000; ++i) {
    const auto channel = static_cast<Channel>(1 + rng.below(3));
    if (rng.uniform() < 0.5) {
      mailbox.put(static_cast<Index>(rng.below(3)), testing::message_on(channel, i));
      plain.emplace_back(channel, i);
      continue;
    }
    const auto found = std::ranges::find(plain, channel, &std::pair<Channel, double>::first);
    const double expected = found == plain.end() ? -1 : found->second;
    if (found != plain.end()) plain.erase(found);
    ASSERT_EQ(take_number(mailbox, channel, Mailbox::anyone), expected);
  }
}

}  // namespace
}  // namespace choir
