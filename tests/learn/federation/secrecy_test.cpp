// What the server sees of one device says nothing about its answer. The masks come from the system's
// randomness, so the bounds are those that chance exceeds once in millions.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "graph/expect_error.h"
#include "learn/federation/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/federation/envelope.h"
#include "choir/learn/federation/masks.h"
#include "choir/runtime/blocks/secure_sum/words.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using Seen = std::vector<std::uint64_t>;

constexpr Index side = 100;
constexpr NodeId watched_device = 3;

// The words of a device's answers, by question, as they left it.
std::vector<Seen> words_seen(const Play& play) {
  std::vector<Seen> seen;
  RunOptions run;
  run.audit = [&](NodeId from, NodeId, const Message& message) {
    if (from != watched_device || message.kind() != Kind::masked) return;
    const auto words = message.array(0).integers();
    if (words.size() < side * side) return;  // the count
    Seen one;
    for (Index i = 0; i < side * side; ++i) one.push_back(static_cast<std::uint64_t>(words(i)));
    seen.push_back(std::move(one));
  };
  SimEngine engine;
  testing::play(engine, play, run);
  return seen;
}

Play watched_play(std::function<Matrix(NodeId, int)> value) {
  Play play;
  play.devices = 4;
  play.shape = {.rows = side, .cols = side, .bound = 1};
  play.value = std::move(value);
  return play;
}

Matrix wave(NodeId device) {
  Matrix values(side, side);
  for (Index i = 0; i < values.size(); ++i)
    values.data()[i] = std::sin(0.01 * static_cast<double>(i * device));
  return values;
}

double correlation(const Seen& words, const Matrix& values) {
  const Eigen::ArrayXd x = Eigen::Map<const Vector>(values.data(), values.size()).array();
  Eigen::ArrayXd y(values.size());
  for (Index i = 0; i < y.size(); ++i)
    y(i) = std::ldexp(static_cast<double>(words[static_cast<std::size_t>(i)]), -64);
  const Eigen::ArrayXd a = x - x.mean();
  const Eigen::ArrayXd b = y - y.mean();
  return (a * b).sum() / std::sqrt(a.square().sum() * b.square().sum());
}

// Of one byte of each word; 255 degrees of freedom, so 255 +- 22.6 for chance.
double chi_square(const Seen& words, int byte) {
  std::array<double, 256> counts = {};
  for (const std::uint64_t word : words) ++counts[(word >> (8 * byte)) & 255];
  const double expected = static_cast<double>(words.size()) / 256;
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// Largest distance of the distributions, times the root of half the number of words (Kolmogorov, Smirnov).
double distance(Seen a, Seen b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto below = static_cast<double>(std::ranges::lower_bound(b, a[i]) - b.begin());
    largest = std::max(largest, std::abs(below - static_cast<double>(i)));
  }
  return largest / static_cast<double>(a.size()) * std::sqrt(static_cast<double>(a.size()) / 2);
}

TEST(Secrecy, TheSameAnswerNeverLooksTheSame) {
  const std::vector<Seen> seen = words_seen(watched_play([](NodeId device, int) { return wave(device); }));
  ASSERT_EQ(seen.size(), 2u);
  int same = 0;
  for (std::size_t i = 0; i < seen[0].size(); ++i) same += seen[0][i] == seen[1][i];
  EXPECT_EQ(same, 0);
}

TEST(Secrecy, WordsAreUniformAndUncorrelatedWithTheAnswer) {
  const std::vector<Seen> seen = words_seen(watched_play([](NodeId device, int) { return wave(device); }));
  for (const Seen& words : seen) {
    EXPECT_LT(std::abs(correlation(words, wave(watched_device))), 5.5 / side);
    for (int byte = 0; byte < 8; ++byte) EXPECT_NEAR(chi_square(words, byte), 255, 5.5 * 22.6) << byte;
    double ones = 0;
    for (const std::uint64_t word : words) ones += std::popcount(word);
    EXPECT_NEAR(ones, 32. * side * side, 5.5 * 4 * side);
  }
}

// The same statistics see at once what is not masked.
TEST(Secrecy, WhatIsNotMaskedWouldBeFound) {
  Seen words;
  const Matrix values = wave(watched_device);
  for (const double value : values.reshaped()) {
    words.push_back(static_cast<std::uint64_t>(std::llrint(std::ldexp(value, 60))) +
                    (std::uint64_t{1} << 63));
  }
  EXPECT_GT(correlation(words, values), 0.99);
  EXPECT_GT(chi_square(words, 7), 1000);
  EXPECT_GT(distance(words, Seen(words.size(), 7)), 10);
}

TEST(Secrecy, AnotherAnswerGivesTheSameDistribution) {
  const std::vector<Seen> seen = words_seen(watched_play([](NodeId device, int question) -> Matrix {
    if (device != watched_device) return Matrix::Zero(side, side);
    return question == 0 ? Matrix(Matrix::Constant(side, side, 14)) : Matrix(-wave(device));
  }));
  EXPECT_LT(distance(seen[0], seen[1]), 2.8);  // exp(-2 * 2.8^2) is 1.6e-7
}

// A server that keeps to nothing: it passes keys on, asks all devices to count, and says to each of them
// whose answers it has as it likes. What came back to its unmasking.
Task<std::vector<Note>> unmask_as_you_like(Node& node, std::vector<std::vector<NodeId>> claims) {
  const Channel channel = node.open_reliable_channel();
  const Deadline soon = Deadline::after(std::chrono::seconds(1), node.now());
  Words table(key_record + signature_words, 0);
  for (const NodeId device : node.neighbors()) {
    const std::optional<Received> hello = co_await node.receive_from(device, channel, soon);
    table.conservativeResize(Eigen::NoChange, table.cols() + 1);
    table.rightCols(1) = table_of(hello->message, table.rows());
  }
  const std::vector<NodeId> all(node.neighbors().begin(), node.neighbors().end());
  const Envelope directory{.note = Note::directory};
  const Envelope count{.note = Note::count, .devices = all};
  for (const NodeId device : all) {
    node.send(device, sealed(table_message(table), directory, channel, 0));
    node.send(device, sealed(Message(Kind::control), count, channel, 1));
    for (const std::vector<NodeId>& claim : claims) {
      const Envelope survivors{.note = Note::survivors, .devices = claim};
      node.send(device, sealed(Message(Kind::control), survivors, channel, 1));
    }
  }
  std::vector<Note> replies;
  Words signatures(survivors_record, 0);
  while (true) {
    const std::optional<Received> mail = co_await node.receive(channel, soon);
    if (!mail) break;
    const Letter letter = opened(mail->message);
    replies.push_back(letter.envelope.note);
    if (replies.back() == Note::signature) {
      signatures.conservativeResize(Eigen::NoChange, signatures.cols() + 1);
      signatures.rightCols(1) = table_of(letter.content, survivors_record);
    }
  }
  // All that it has, twice.
  const Envelope unmask{.note = Note::unmask};
  for (const NodeId device : all) {
    for (int i = 0; i < 2; ++i) node.send(device, sealed(table_message(signatures), unmask, channel, 1));
  }
  const Deadline later = Deadline::after(std::chrono::seconds(1), node.now());
  while (true) {
    const std::optional<Received> mail = co_await node.receive(channel, later);
    if (!mail) break;
    replies.push_back(opened(mail->message).envelope.note);
  }
  const Envelope close{.note = Note::close};
  for (const NodeId device : all) node.send(device, sealed(Message(Kind::control), close, channel, 2));
  co_return replies;
}

Task<std::vector<Note>> rogue_or_device(Node& node, std::vector<std::vector<NodeId>> claims) {
  if (node.id() == 0) {
    const std::vector<Note> replies = co_await unmask_as_you_like(node, std::move(claims));
    co_return replies;
  }
  FederationDevice device(node, FederationOptions(), 5);
  co_await device.open();
  co_await device.next();
  const std::vector<Note> none;
  co_return none;
}

std::ptrdiff_t seeds_given(std::vector<std::vector<NodeId>> claims) {
  SimEngine engine;
  const auto outcome =
      run_nodes<std::vector<Note>>(engine, make_topology("star", 5, 0), testing::federation_contract, {},
                                   [&](Node& node) { return rogue_or_device(node, claims); });
  return std::ranges::count_if(*outcome.results[0],
                               [](Note note) { return note == Note::seeds || note == Note::own_seed; });
}

TEST(Secrecy, DevicesGiveSeedsOnceAndNotIfTheyAreSaidToBeSilent) {
  EXPECT_EQ(seeds_given({{1, 2, 3, 4}}), 4);
  EXPECT_EQ(seeds_given({{1, 2, 3, 4}, {1, 2, 3}}), 4);  // once
  EXPECT_EQ(seeds_given({{1, 2, 3}}), 3);                // nothing of node 4
}

// Each set would have signatures enough, if a device signed both; and nobody is told what others have signed.
TEST(Secrecy, DevicesEndTheRunRatherThanUnmaskTwoSets) {
  testing::expect_error(ErrorCategory::BadData, {"has not signed that the total is of these 2 answers"}, [] {
    seeds_given({{1, 2}, {3, 4}});
  });
  testing::expect_error(ErrorCategory::BadData, {"with the signatures of 2 devices, and 3 must agree"}, [] {
    seeds_given({{1, 2}});
  });
}

TEST(Secrecy, DevicesEndTheRunRatherThanUnmaskTooFew) {
  testing::expect_error(ErrorCategory::BadData, {"refuses to unmask a total: 1 answers"},
                        [] { seeds_given({{3}}); });
  testing::expect_error(ErrorCategory::BadData, {"refuses to unmask a total: 3 answers"}, [] {
    seeds_given({{1, 2, 70}});
  });
}

}  // namespace
}  // namespace choir
