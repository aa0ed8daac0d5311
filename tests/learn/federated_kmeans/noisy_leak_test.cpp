// Two data sets that differ in one sample, and a server that says the same to both whatever it hears: then
// everything that devices send and find is the same, but for masked totals under noise. What a device may
// show of its samples can only be in these.
#include <algorithm>
#include <string>
#include <vector>

#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/learn/federated_kmeans/coordinator.h"
#include "choir/learn/federated_kmeans/fea.h"
#include "choir/learn/federated_kmeans/findings.h"
#include "choir/learn/federated_kmeans/noisy_rounds.h"
#include "choir/learn/federation/envelope.h"
#include "choir/learn/federation/survivors.h"
#include "choir/runtime/blocks/secure_sum/pair_masks.h"
#include "choir/runtime/blocks/secure_sum/signed_roster.h"
#include "choir/runtime/message_codec.h"
#include "choir/runtime/sim/sim_engine.h"
#include "choir/runtime/statement.h"

namespace choir::federated_kmeans::noisy_leak_test {
namespace {

constexpr Index devices = 4;
constexpr Index features = 8;

Options private_options() {
  Options options = small_options(Embedding::random_features);
  options.n_clusters = 3;
  options.privacy.epsilon = 1;
  options.max_iter = 2;
  return options;
}

struct Data {
  std::vector<Samples> shards;
  std::vector<std::vector<std::int64_t>> labels;  // of the devices' samples
};
// The other one's first sample of device 1 is a thousand times as long, and has another label.
Data data(bool other) {
  Data data{.shards = dealt(small_data().samples, devices), .labels = {}};
  for (const Samples& shard : data.shards)
    data.labels.emplace_back(static_cast<std::size_t>(shard.cols()), 7);
  if (other) {
    data.shards[1].col(0) *= -1000;
    data.labels[1][0] = 8;
  }
  return data;
}

// What a server says between the opening and the close.
using Script = std::function<Task<void>(FederationServer&, const Options&)>;

std::string bytes_of_message(const Message& message) {
  ByteBuffer bytes;
  encode(message, bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// All of a letter, but for words that are random: those of masked answers, keys, signatures and seeds, of
// which the number must be the one that is known.
std::string visible_part(const Message& message) {
  const Letter letter = opened(message);
  const bool masked = message.kind() == Kind::masked && letter.envelope.note == Note::answer;
  const std::map<Note, Index> random_words = {{Note::hello, key_record + signature_words},
                                              {Note::signature, survivors_record},
                                              {Note::own_seed, key_record}};
  const auto known = random_words.find(letter.envelope.note);
  if (!masked && known == random_words.end()) return bytes_of_message(message);
  Message visible(message.kind());
  for (const std::int64_t value : message.integers()) visible.integer(value);
  for (const double value : message.numbers()) visible.number(value);
  const std::span<const Array> arrays = message.arrays();
  for (const Array& array : arrays.first(arrays.size() - 1)) {
    if (!masked) EXPECT_EQ(array.rows() * array.columns(), known->second);
    visible.array(Array(Matrix(Vector{{static_cast<double>(array.rows() * array.columns())}})));
  }
  EXPECT_EQ(arrays.size(), 2u);
  visible.array(arrays.back());
  return bytes_of_message(visible);
}

// What a device has found, as a run makes a result of it.
std::string visible_part(NodeResult result, const std::vector<std::int64_t>& labels) {
  result.seconds = 0;
  std::string all = bytes_of_message(statement(Kind::summaries, findings_of(result, labels)));
  for (const std::int64_t label : result.labels) all += std::to_string(label);
  Message model(Kind::coefficients);
  model.array(result.model.centroids).array(result.model.counts).array(result.model.points);
  model.array(result.model.preprocessing.mean).array(result.model.preprocessing.scale);
  return all + bytes_of_message(model);
}

std::vector<std::string> seen(const Data& data, const Options& options, const Script& script) {
  std::vector<std::string> all;
  RunOptions run;
  run.audit = [&](NodeId from, NodeId, const Message& message) {
    if (from < devices) all.push_back(visible_part(message));
  };
  const Circumstances circumstances{
      .seed = 1, .features = features, .store = std::make_shared<FeatureStore>()};
  const auto serve = [&](Node& node) -> Task<NodeResult> {
    FederationServer server(node, federation_options(options, node.id()));
    co_await server.open();
    co_await script(server, options);
    server.close();
    NodeResult nothing;
    co_return nothing;
  };
  const Contract contract{
      .method = "test",
      .kinds = {Kind::coefficients, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  const auto outcome = run_nodes<NodeResult>(engine, star(devices), contract, run, [&](Node& node) {
    if (node.id() == devices) return serve(node);
    return device_program(node, Shard(data.shards[static_cast<std::size_t>(node.id())]), options,
                          circumstances);
  });
  for (std::size_t device = 0; device < devices; ++device)
    all.push_back(visible_part(*outcome.results[device], data.labels[device]));
  return all;
}

bool shows_the_sample(const Options& options, const Script& script) {
  return seen(data(false), options, script) != seen(data(true), options, script);
}

void tell_embedding(FederationServer& server, const Options& options) {
  server.tell(preprocessing_statement({}));
  server.tell(kernel_statement(options.gamma.value));
  server.tell(stage_statement(fea_draw(options.n_features, 1, 1), 1));
}

Matrix centres_of_nobody(const Options& options) {
  Rng rng(5, Purpose("centres"));
  return Matrix::NullaryExpr(options.n_features, *options.n_clusters, [&] { return 0.1 * rng.normal(); });
}

void tell_clusters(FederationServer& server, const Options& options) {
  server.tell(clusters_statement({.centroids = centres_of_nobody(options),
                                  .counts = Vector::Constant(3, 200),
                                  .samples = 600,
                                  .iterations = 2,
                                  .converged = true}));
}

Task<void> ask_for_noise(FederationServer& server, const Options& options, NoisyRounds& rounds) {
  const Matrix centres =
      rounds.asked() == 0 ? Matrix::Zero(options.n_features, 1) : centres_of_nobody(options);
  const NoisyWords noise = rounds.begin(0, centres.cols());
  const AnswerShape shape{.rows = options.n_features + 1, .cols = centres.cols(), .noise = noise};
  const Message question = noisy_question(centres, rounds.asked());
  co_await server.ask(question, shape);
}

Task<void> all_noisy_rounds(FederationServer& server, const Options& options) {
  tell_embedding(server, options);
  NoisyRounds rounds(options, devices);
  while (rounds.left() > 0) co_await ask_for_noise(server, options, rounds);
  tell_clusters(server, options);
}

TEST(NoisyLeak, NothingButNoisyTotalsDependsOnASample) {
  EXPECT_FALSE(shows_the_sample(private_options(), all_noisy_rounds));
}

// The comparison is able to see it: labels of samples and how they meet those that are known, ...
TEST(NoisyLeak, TheComparisonSeesLabelsOfSamples) {
  Options options = private_options();
  options.privacy = {};
  EXPECT_TRUE(shows_the_sample(options, [](FederationServer& server, const Options& its) -> Task<void> {
    tell_embedding(server, its);
    server.tell(map_statement(Matrix::Identity(its.n_features, its.n_features)));
    tell_clusters(server, its);
    co_return;
  }));
}

// ... and a single figure that a device sends without noise: how large its largest entry is.
TEST(NoisyLeak, TheComparisonSeesAFigureThatIsSent) {
  Options options = private_options();
  options.privacy = {};
  EXPECT_TRUE(shows_the_sample(options, [](FederationServer& server, const Options& its) -> Task<void> {
    tell_embedding(server, its);
    server.tell(map_statement(Matrix::Zero(its.n_features, its.n_features)));
    const Message question = means_question(false, 0);
    const AnswerShape shape{.rows = 1, .cols = features};
    co_await server.ask(question, shape);
    tell_clusters(server, its);
  }));
}

}  // namespace
}  // namespace choir::federated_kmeans::noisy_leak_test
