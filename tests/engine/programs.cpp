#include "engine/programs.h"

#include <cmath>

#include "choir/graph/spectrum.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {

Task<double> metropolis_rounds(Node& node, double value, int rounds) {
  const auto degree = static_cast<Index>(node.neighbors().size());
  Message mine(Kind::control);
  mine.integer(degree);
  const Inbox degrees = co_await node.exchange(mine, node.deadline());
  std::vector<double> weights;
  for (const Received& other : degrees) {
    weights.push_back(1.0 / static_cast<double>(1 + std::max(degree, Index{other.message.integer(0)})));
  }
  for (int round = 0; round < rounds; ++round) {
    Message now(Kind::own_statistics);
    now.number(value);
    const Inbox inbox = co_await node.exchange(now, node.deadline());
    double change = 0;
    for (std::size_t i = 0; i < inbox.size(); ++i)
      change += weights[i] * (inbox[i].message.number(0) - value);
    value += change;
  }
  co_return value;
}

Vector metropolis_oracle(const Graph& graph, Vector values, int rounds) {
  const Matrix weights = metropolis_matrix(graph);
  for (int round = 0; round < rounds; ++round) values = weights * values;
  return values;
}

namespace {

// One column a neighbour, another for each.
std::vector<Message> letters(const Node& node, const Vector& state, int round) {
  std::vector<Message> messages;
  for (const NodeId other : node.neighbors()) {
    Rng rng = node.rng(Purpose("letters"),
                       static_cast<std::uint64_t>(round) * 1000003u + static_cast<std::uint64_t>(other));
    Message message(Kind::coefficients);
    message.integer(other).number(rng.normal());
    message.array(Array(Vector(state * rng.uniform())));
    message.array(Array(MatrixOf<float>(state.head(2).cast<float>())));
    message.array(Array(MatrixOf<std::int64_t>(MatrixOf<std::int64_t>::Constant(1, 2, node.id()))));
    messages.push_back(message);
  }
  return messages;
}

void absorb(const Received& received, Vector& state) {
  const Message& message = received.message;
  state += message.array(0).matrix().col(0) / (1.0 + std::abs(message.number(0)));
  state(0) += static_cast<double>(message.array(1).float_matrix().sum());
  state(1) += static_cast<double>(message.array(2).integers().sum() + message.integer(0));
}

}  // namespace

Task<Vector> synchronous_mixture(Node& node, int rounds) {
  Vector state = Vector::LinSpaced(5, 0, 1) * (1 + node.id());
  for (int round = 0; round < rounds; ++round) {
    const Outbox outbox(letters(node, state, round));
    const Inbox inbox = co_await node.exchange(outbox, node.deadline());
    for (const Received& received : inbox) absorb(received, state);
    if (round % 3 == 2) {
      const Matrix total = co_await tree_sum(node, node.tree(), Matrix(state));
      state /= total.cwiseAbs().maxCoeff();
    }
    Message flag(Kind::control);
    flag.integer(round);
    const Inbox flags = co_await node.exchange(flag, node.deadline());
    state(2) += static_cast<double>(flags.size());
  }
  co_return state;
}

std::uint64_t fingerprint(std::uint64_t seed, const void* data, std::size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) seed = (seed ^ byte[i]) * 0x100000001b3u;
  return seed;
}

}  // namespace choir
