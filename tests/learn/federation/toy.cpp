#include "learn/federation/toy.h"

#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing {
namespace {

Task<std::vector<Total>> serve(Node& node, Play play, double* samples) {
  FederationServer server(node, play.options);
  co_await server.open();
  *samples = server.samples();
  std::vector<Total> totals;
  for (int i = 0; i < play.questions; ++i) {
    Message question(Kind::coefficients);
    question.integer(i).array(Array(Matrix(Matrix::Identity(2, 2))));
    Total total = co_await server.ask(question, play.shape);
    totals.push_back(std::move(total));
  }
  server.close();
  co_return totals;
}

Task<std::vector<Total>> respond(Node& node, Play play) {
  FederationDevice device(node, play.options, samples_of(node.id()));
  co_await device.open();
  const std::vector<Total> none;
  while (true) {
    const std::optional<Message> message = co_await device.next();
    if (!message) co_return none;
    const auto question = static_cast<int>(message->integer(0));
    const Act act = play.act(node.id(), question);
    if (act == Act::answer_late) co_await node.sleep(play.lateness);
    if (act == Act::keep_silent) {
      device.keep_silent();
    } else if (act == Act::refuse) {
      device.refuse();
    } else {
      const Matrix value =
          play.value ? play.value(node.id(), question) : answer_of(node.id(), question, play.shape);
      play.shape.noise ? device.answer(value, *play.shape.noise) : device.answer(value);
    }
    if (act == Act::end) co_return none;
  }
}

}  // namespace

Index samples_of(NodeId device) { return 5 + 3 * device; }

Matrix answer_of(NodeId device, int question, const AnswerShape& shape) {
  Rng rng(99, Purpose("federation-toy"), static_cast<std::uint64_t>(device),
          static_cast<std::uint64_t>(question));
  const double most = 2.0 * static_cast<double>(samples_of(device));
  Matrix answer(shape.rows, shape.cols);
  for (double& entry : answer.reshaped()) entry = rng.uniform(-most, most);
  return answer;
}

Matrix sum_of(const std::vector<NodeId>& devices, int question, const AnswerShape& shape) {
  Matrix sum = Matrix::Zero(shape.rows, shape.cols);
  for (const NodeId device : devices) sum += answer_of(device, question, shape);
  return sum;
}

double samples_of(const std::vector<NodeId>& devices) {
  double samples = 0;
  for (const NodeId device : devices) samples += static_cast<double>(samples_of(device));
  return samples;
}

Task<std::vector<Total>> play_node(Node& node, Play play, double* samples) {
  if (node.id() == play.options.server) return serve(node, std::move(play), samples);
  return respond(node, std::move(play));
}

Played play(Engine& engine, const Play& play, const RunOptions& run) {
  Played played;
  auto outcome =
      run_nodes<std::vector<Total>>(engine, make_topology("star", play.devices + 1, 0), federation_contract,
                                    run, [&](Node& node) { return play_node(node, play, &played.samples); });
  const auto& of_server = outcome.results[static_cast<std::size_t>(play.options.server)];
  if (of_server) played.totals = *of_server;
  played.report = std::move(outcome.report);
  return played;
}

void expect_true_totals(const Played& played, const Play& play) {
  ASSERT_EQ(std::ssize(played.totals), play.questions);
  for (int i = 0; i < play.questions; ++i) {
    const Total& total = played.totals[static_cast<std::size_t>(i)];
    const Matrix expected = sum_of(total.answered, i, play.shape);
    EXPECT_LE((total.sum - expected).norm(), 1e-12 * expected.norm()) << "question " << i;
    EXPECT_EQ(total.samples, samples_of(total.answered));
  }
}

std::vector<std::unique_ptr<Engine>> engines() {
  SimOptions faults;
  faults.latency = parse_latency("1ms..9ms");
  faults.loss = 0.2;
  std::vector<std::unique_ptr<Engine>> all;
  all.push_back(std::make_unique<SimEngine>());
  all.push_back(std::make_unique<SimEngine>(faults));
  all.push_back(std::make_unique<LocalEngine>(LocalOptions{.threads = 1}));
  all.push_back(std::make_unique<LocalEngine>(LocalOptions{.threads = 2}));
  return all;
}

}  // namespace choir::testing
