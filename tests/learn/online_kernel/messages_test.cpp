#include "choir/learn/online_kernel/messages.h"

#include <limits>

#include "graph/expect_error.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

using testing::expect_error;
using testing::random_matrix;

Received from_node_4(Message message) { return {.position = 0, .from = 4, .message = std::move(message)}; }

struct Function {
  Samples atoms;   // 3 x 5
  Matrix weights;  // 5 x 2
};

Function some_function() { return {.atoms = random_matrix(3, 5, 1), .weights = random_matrix(5, 2, 2)}; }

Received sent(const Function& f) {
  return from_node_4(function_message(CommonAtoms(3, 1).pack(f.atoms, 0), f.weights, Vector({{5.0, 0.5}}),
                                      {.counter = 7, .stop_at = 9}));
}

TEST(OnlineMessages, CarryAFunctionAndTheWordsOfStopping) {
  const Function f = some_function();
  const Inbox inbox = {sent(f)};
  EXPECT_EQ(inbox[0].message.kind(), Kind::raw_samples);
  EXPECT_EQ(atoms_in(inbox[0], CommonAtoms(3, 1), 3), f.atoms);
  EXPECT_EQ(Matrix(weights_in(inbox[0], 5, 2)), f.weights);
  EXPECT_EQ(class_counts_in(inbox[0], 2), Vector({{5.0, 0.5}}));
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
  const Received function = sent(some_function());
  refuse([&] { atoms_in(function, CommonAtoms(4, 1), 4); });
  refuse([&] { weights_in(function, 5, 3); });
  refuse([&] { weights_in(function, 4, 2); });
  refuse([&] { class_counts_in(function, 3); });
  Function broken = some_function();
  broken.weights(1, 1) = std::numeric_limits<double>::quiet_NaN();
  refuse([&] { weights_in(sent(broken), 5, 2); });
  broken = some_function();
  broken.atoms(1, 1) = std::numeric_limits<double>::infinity();
  refuse([&] { atoms_in(sent(broken), CommonAtoms(3, 1), 3); });
  const PackedAtoms unheard{.places = MatrixOf<std::int64_t>::Constant(1, 1, 2), .news = Samples(3, 0)};
  const Received nonsense = from_node_4(function_message(unheard, Matrix::Ones(1, 2), Vector::Ones(2), {}));
  refuse([&] { atoms_in(nonsense, CommonAtoms(3, 1), 3); });
  const Received batch = from_node_4(batch_message(random_matrix(3, 4, 1), {}));
  refuse([&] { batch_in(batch, 2); });
  const Received values = from_node_4(values_message(random_matrix(4, 2, 2)));
  refuse([&] { values_in(values, 5, 2); });
  refuse([&] { values_in(values, 4, 1); });
}

}  // namespace
}  // namespace choir::online_kernel
