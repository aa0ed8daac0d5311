#include "choir/learn/online_kernel/messages.h"

#include <limits>

#include "graph/expect_error.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing::expect_error;
using testing::random_matrix;

Received from_node_4(Message message) { return {.position = 0, .from = 4, .message = std::move(message)}; }

Expansion function_of(Index features, Index atoms, Index outputs) {
  return {
      .atoms = random_matrix(features, atoms, 1), .weights = random_matrix(atoms, outputs, 2), .gram = {}};
}

TEST(OnlineMessages, CarryAFunctionAndTheWordsOfStopping) {
  const Expansion f = function_of(3, 5, 2);
  const Inbox inbox = {from_node_4(function_message(f, {.counter = 7, .stop_at = 9}))};
  EXPECT_EQ(inbox[0].message.kind(), Kind::raw_samples);
  const ExpansionView view = function_in(inbox[0], 3, 2);
  EXPECT_EQ(Matrix(view.atoms), f.atoms);
  EXPECT_EQ(Matrix(view.weights), f.weights);
  EXPECT_EQ(words_of(inbox).at(0).counter, 7);
  EXPECT_EQ(words_of(inbox).at(0).stop_at, 9);
}

TEST(OnlineMessages, CarryBatchesAndValues) {
  const Samples batch = random_matrix(3, 4, 1);
  const Matrix scores = random_matrix(4, 2, 2);
  Message message = batch_message(batch, {});
  message.array(Array(scores));
  const Received received = from_node_4(message);
  EXPECT_EQ(Matrix(batch_in(received, 3)), batch);
  EXPECT_EQ(Matrix(scores_in(received, 2)), scores);
  const Received values = from_node_4(values_message(scores));
  EXPECT_EQ(values.message.kind(), Kind::coefficients);
  EXPECT_EQ(Matrix(values_in(values, 4, 2)), scores);
}

TEST(OnlineMessages, NameTheSenderOfWhatDoesNotFit) {
  const auto refuse = [](auto call) { expect_error(ErrorCategory::BadData, {"node 4"}, call); };
  const Received function = from_node_4(function_message(function_of(3, 5, 2), {}));
  refuse([&] { function_in(function, 4, 2); });
  refuse([&] { function_in(function, 3, 3); });
  Expansion broken = function_of(3, 5, 2);
  broken.weights(1, 1) = std::numeric_limits<double>::quiet_NaN();
  refuse([&] { function_in(from_node_4(function_message(broken, {})), 3, 2); });
  broken.weights = random_matrix(4, 2, 1);
  refuse([&] { function_in(from_node_4(function_message(broken, {})), 3, 2); });
  const Received batch = from_node_4(batch_message(random_matrix(3, 4, 1), {}));
  refuse([&] { batch_in(batch, 2); });
  const Received values = from_node_4(values_message(random_matrix(4, 2, 2)));
  refuse([&] { values_in(values, 5, 2); });
  refuse([&] { values_in(values, 4, 1); });
}

}  // namespace
}  // namespace choir
