// What a server of a federation can get out of devices that are the program's own.
#include <algorithm>
#include <cmath>
#include <functional>

#include "attack/rogue_server.h"
#include "attack/view.h"
#include "graph/expect_error.h"
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/crypto/key_stream.h"
#include "choir/graph/topology.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/learn/federated_kmeans/questions.h"
#include "choir/learn/federation/masks.h"
#include "choir/learn/federation/survivors.h"
#include "choir/linalg/columns.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing_attack {
namespace {

using namespace choir::federated_kmeans;
using choir::testing::expect_error;

constexpr Index devices = 4;
constexpr Index features = 6;
constexpr Index of_a_device = 25;
constexpr double gamma = 0.1;

const std::vector<Samples>& patients() {
  static const std::vector<Samples> all = [] {
    std::vector<Samples> parts;
    for (Index device = 0; device < devices; ++device) {
      Rng rng(7, Purpose("patients"), static_cast<std::uint64_t>(device));
      Samples part(features, of_a_device);
      for (double& entry : part.reshaped()) entry = rng.normal();
      parts.push_back(std::move(part));
    }
    return parts;
  }();
  return all;
}

Samples landmarks() {
  Rng rng(3, Purpose("landmarks"));
  Samples points(features, 2 * features);
  for (double& entry : points.reshaped()) entry = 1.2 * rng.normal();
  return points;
}

Matrix kernel_with(const Samples& points, const Samples& samples) {
  Matrix kernel(points.cols(), samples.cols());
  for (Index n = 0; n < samples.cols(); ++n)
    kernel.col(n) =
        (-gamma * (points.colwise() - samples.col(n)).colwise().squaredNorm().array()).exp().transpose();
  return kernel;
}

// Samples from k(z_q, x) for more than M landmarks: squared distances, whose differences are linear in x.
Samples solved(const Matrix& kernel_values, const Samples& points) {
  const Matrix distances = -kernel_values.array().max(1e-300).log() / gamma;
  Matrix system(points.cols(), features + 1);
  system << -2 * points.transpose(), Vector::Ones(points.cols());
  const Matrix right = distances.colwise() - points.colwise().squaredNorm().transpose();
  return Eigen::ColPivHouseholderQR<Matrix>(system).solve(right).topRows(features);
}

Options default_options() {
  Options options;
  options.gamma = {.rule = GammaRule::number, .value = gamma};
  return options;
}

using Program = std::function<Task<Words>(Node&)>;

// The rogue is the last node of the star, everybody else runs the program. What the rogue brings home.
Words attacked(const Options& options, const Program& rogue) {
  const Circumstances circumstances{
      .seed = 1, .features = features, .store = std::make_shared<FeatureStore>()};
  const auto device = [&](Node& node) -> Task<Words> {
    co_await device_program(node, Shard(patients()[static_cast<std::size_t>(node.id())]), options,
                            circumstances);
    co_return Words(0, 0);
  };
  const Shape shape{
      .nodes = devices + 1, .features = features, .samples = [](NodeId) { return of_a_device; }};
  SimEngine engine;
  auto outcome = run_nodes<Words>(engine, star(devices), contract(shape, options), {}, [&](Node& node) {
    return node.id() == devices ? rogue(node) : device(node);
  });
  return *outcome.results.back();
}

void embed_by_kernel_values(RogueServer& rogue) {
  const Samples points = landmarks();
  const Index count = points.cols();
  rogue.tell(preprocessing_statement({}));
  rogue.tell(kernel_statement(gamma));
  rogue.tell(landmarks_statement(points, Matrix::Identity(count, count), Kind::centroids));
  rogue.tell(map_statement(Matrix::Identity(count, count)));
}

Envelope lloyd_envelope(Index length, Index centres) {
  return {.note = Note::question,
          .rows = length + 2,
          .cols = centres,
          .bound = 4. * static_cast<double>(length),
          .exponent = 40};
}

// Hundreds of guesses as centres, masks intact: clusters of one patient are that patient.
Task<Words> many_centres(Node& node, Index runs, Index clusters) {
  RogueServer rogue(node);
  co_await rogue.open();
  embed_by_kernel_values(rogue);
  Rng rng(5, Purpose("guesses"));
  Samples guesses(features, runs * clusters);
  for (double& entry : guesses.reshaped()) entry = 1.2 * rng.normal();
  RunCentres centres{.points = kernel_with(landmarks(), guesses),
                     .sizes = std::vector<Index>(static_cast<std::size_t>(runs), clusters)};
  const Envelope envelope = lloyd_envelope(centres.points.rows(), centres.points.cols());
  rogue.ask(lloyd_question(std::move(centres), 1), envelope);
  Replies answers = co_await rogue.hear(rogue.all);
  Words total = co_await rogue.total_of(std::move(answers), envelope.rows * envelope.cols + 1);
  rogue.tell(
      clusters_statement({.centroids = Matrix::Ones(envelope.rows - 2, 1), .counts = Vector::Ones(1)}));
  rogue.close();
  co_return total;
}

Index patients_in(const Words& total, Index centres) {
  const Index length = landmarks().cols();
  const Envelope envelope = lloyd_envelope(length, centres);
  const Matrix sums =
      format_of(envelope).decode(span_of(WordsView(total.data(), total.rows(), 1)), length + 2, centres);
  std::vector<Index> single;
  for (Index c = 0; c < centres; ++c)
    if (std::lround(sums(length, c)) == 1) single.push_back(c);
  return recovered(side_by_side(patients()), solved(sums(Eigen::seqN(0, length), single), landmarks()), 1e-3);
}

TEST(Attack, CentresThatSingleOutPatients) {
  Options careless = default_options();
  careless.n_clusters = 300;  // the protection is off: this device's own options allow as many
  const auto rogue = [](Index runs, Index clusters) {
    return [=](Node& node) { return many_centres(node, runs, clusters); };
  };
  EXPECT_GE(patients_in(attacked(careless, rogue(1, 300)), 300), 15);
  expect_error(ErrorCategory::BadData, {"was asked for the sums of 300 clusters"},
               [&] { attacked(default_options(), rogue(1, 300)); });
  expect_error(ErrorCategory::BadData, {"was sent 12 x 12000 numbers as centres"},
               [&] { attacked(default_options(), rogue(1200, 10)); });
}

// Runs of sizes that the centres do not have: memory beyond the answer was written once.
TEST(Attack, ClustersOutOfRange) {
  for (const Index size : {Index{40'000'000}, Index{-1}, Index{0}, Index{11}}) {
    const auto rogue = [size](Node& node) -> Task<Words> {
      RogueServer server(node);
      co_await server.open();
      embed_by_kernel_values(server);
      const Index length = landmarks().cols();
      RunCentres centres{.points = Matrix::Ones(length, 10), .sizes = {size}};
      server.ask(lloyd_question(std::move(centres), 1), lloyd_envelope(length, 10));
      co_await server.hear(server.all);
      co_return Words(0, 0);
    };
    expect_error(ErrorCategory::BadData, {"10 centres came with runs of other sizes"},
                 [&] { attacked(default_options(), rogue); });
  }
}

// The first sums of all devices, and then those without the victim: their difference is the victim's.
TEST(Attack, TheSameSumsWithAndWithoutTheVictim) {
  const auto rogue = [](Index second_round) {
    return [second_round](Node& node) -> Task<Words> {
      RogueServer server(node);
      co_await server.open();
      for (const Index round : {Index{0}, second_round}) {
        server.ask(means_question(false, round),
                   {.note = Note::question, .rows = 1, .cols = features, .bound = 100, .exponent = 40});
        Replies answers = co_await server.hear(server.all);
        co_await server.total_of(std::move(answers), features + 1);
        std::erase(server.all, 2);
      }
      co_return Words(0, 0);
    };
  };
  expect_error(ErrorCategory::BadData, {"was asked again for a total that it has been part of"},
               [&] { attacked(default_options(), rogue(0)); });
  expect_error(ErrorCategory::BadData, {"was asked in round 1 for a statistic that round 0 has summed"},
               [&] { attacked(default_options(), rogue(1)); });
}

// The total of all samples' sums, which an honest server asks for.
Task<Words> ask_for_sums(Node& node) {
  RogueServer server(node);
  co_await server.open();
  server.ask(means_question(false, 0),
             {.note = Note::question, .rows = 1, .cols = features, .bound = 1000, .exponent = 40});
  Replies answers = co_await server.hear(server.all);
  Words total = co_await server.total_of(std::move(answers), features + 1);
  embed_by_kernel_values(server);
  server.tell(
      clusters_statement({.centroids = Matrix::Ones(landmarks().cols(), 1), .counts = Vector::Ones(1)}));
  server.close();
  co_return total;
}

// Devices in league with the server take their own parts out of a total. Documented: all but one of them know
// that one's answer, all but two the sum of two.
TEST(Attack, TheServerAndAllDevicesButOneInLeague) {
  const Words words = attacked(default_options(), ask_for_sums);
  const Envelope asked{.note = Note::question, .rows = 1, .cols = features, .bound = 1000, .exponent = 40};
  const Vector total =
      format_of(asked).decode(span_of(WordsView(words.data(), words.rows(), 1)), 1, features).transpose();
  const auto sum_of = [](std::size_t device) { return Vector(patients()[device].rowwise().sum()); };
  const Vector without_two = total - sum_of(0) - sum_of(1);
  EXPECT_GT((without_two - sum_of(2)).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LT((without_two - sum_of(3) - sum_of(2)).cwiseAbs().maxCoeff(), 1e-6);
}

// Under differential privacy: a server that asks for more than the budget is split over, or without noise.
Options private_options() {
  Options options = default_options();
  options.embedding = Embedding::random_features;
  options.n_features = 20;
  options.n_clusters = 3;
  options.max_iter = 2;
  options.privacy.epsilon = 1;
  return options;
}

// Answers are opened honestly, so that the devices' masks are not what stops the server. What it has is the
// last total.
Task<Words> ask_in_turn(Node& node, std::vector<Message> questions, std::vector<Index> centres) {
  RogueServer server(node);
  co_await server.open();
  server.tell(preprocessing_statement({}));
  server.tell(kernel_statement(gamma));
  server.tell(stage_statement({.count = 20, .seed = 1}, 1));
  Words total;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Index entries = 21 * centres[i];
    server.ask(questions[i],
               {.note = Note::question, .rows = 21, .cols = centres[i], .bound = 100, .exponent = 40});
    Replies answers = co_await server.hear(server.all);
    total = co_await server.total_of(std::move(answers), entries + 1);
  }
  server.tell(clusters_statement({.centroids = Matrix::Ones(20, 3), .counts = Vector::Ones(3)}));
  server.close();
  co_return total;
}

Message noisy_about(Index centres, Index round) {
  return noisy_question(Matrix::Constant(20, centres, 0.1 * static_cast<double>(round)), round);
}

TEST(Attack, OneNoisyTotalMoreThanTheBudgetAllows) {
  const auto asks_rounds = [](Index rounds) {
    return [rounds](Node& node) {
      std::vector<Message> questions = {noisy_about(1, 0)};
      std::vector<Index> centres = {1};
      for (Index round = 1; round <= rounds; ++round) {
        questions.push_back(noisy_about(3, round));
        centres.push_back(3);
      }
      return ask_in_turn(node, questions, centres);
    };
  };
  EXPECT_EQ(attacked(private_options(), asks_rounds(2)).size(), 64);  // as agreed
  expect_error(ErrorCategory::PeerLost, {"the server, node 4, asked device", "one total more than the 3"},
               [&] { attacked(private_options(), asks_rounds(3)); });
  expect_error(ErrorCategory::PeerLost, {"the server, node 4", "of 3 clusters where 1 is next"}, [&] {
    attacked(private_options(), [](Node& node) { return ask_in_turn(node, {noisy_about(3, 1)}, {3}); });
  });
}

TEST(Attack, TheSameTotalsWithoutNoise) {
  const RunCentres centres = RunCentres::of({Matrix::Constant(20, 3, 0.1)});
  const std::vector<Message> questions = {lloyd_question(centres, 1), appraise_question(centres, 1),
                                          gram_question(1),           means_question(false, 1),
                                          trace_question(1),          centroids_request(devices, 1)};
  for (const Message& question : questions) {
    expect_error(ErrorCategory::PeerLost, {"the server, node 4, asked device", "figures without noise"}, [&] {
      attacked(private_options(), [&](Node& node) { return ask_in_turn(node, {question}, {3}); });
    });
  }
}

// With fewer of them in a total there is less noise than was promised.
TEST(Attack, ANoisyTotalOfFewerDevices) {
  const auto rogue = [](Node& node) -> Task<Words> {
    RogueServer server(node);
    co_await server.open();
    server.tell(preprocessing_statement({}));
    server.tell(kernel_statement(gamma));
    server.tell(stage_statement({.count = 20, .seed = 1}, 1));
    std::erase(server.all, 2);
    server.ask(noisy_about(1, 0),
               {.note = Note::question, .rows = 21, .cols = 1, .bound = 100, .exponent = 40});
    Replies answers = co_await server.hear(server.all);
    co_await server.total_of(std::move(answers), 22);
    co_return Words(0, 0);
  };
  expect_error(ErrorCategory::BadData, {"refuses to unmask a total: 3 answers of 3 requested, at least 4"},
               [&] { attacked(private_options(), rogue); });
}

// Four devices that mask; whoever asks knows what they send and reveal.
struct Masked {
  Identities identities;
  std::vector<DeviceMasks> masks;
  std::vector<std::vector<std::int64_t>> sent;
  const std::vector<NodeId> all = {0, 1, 2, 3};
  static constexpr NodeId victim = 2;
  static std::vector<std::int64_t> secret(NodeId device) { return {41 + device, 1'000'000 * device}; }

  Masked()
      : identities(Identities::for_run({.method = "test", .kinds = {Kind::masked}}, 0, devices, devices)) {
    for (const NodeId device : all) masks.emplace_back(device);
  }
  SignedRoster roster(const Words& table, NodeId reader) const {
    return SignedRoster::of_some(WordsView(table.data(), table.rows(), table.cols()), identities.of(reader),
                                 device_key_purpose);
  }
  Words signed_by(NodeId device) const {
    return signed_record(identities.of(device), at(device).introduction(), device_key_purpose);
  }
  const DeviceMasks& at(NodeId device) const { return masks[static_cast<std::size_t>(device)]; }
  DeviceMasks& at(NodeId device) { return masks[static_cast<std::size_t>(device)]; }
  void open() {
    Words table(key_record + signature_words, devices);
    for (const NodeId device : all) table.col(device) = signed_by(device);
    for (const NodeId device : all) at(device).learn(roster(table, device));
  }
  void answer() {
    for (const NodeId device : all) {
      sent.push_back(secret(device));
      at(device).hide(sent.back(), 1, all);
    }
  }
};

// The victim is told that all answered, and the others that the victim did not.
TEST(Attack, AServerThatLiesAboutWhoAnswered) {
  Masked group;
  group.open();
  group.answer();
  const NodeId victim = Masked::victim;
  const std::vector<NodeId> others = {0, 1, 3};
  std::map<NodeId, Survivors> told;
  for (const NodeId device : group.all)
    told[device] = group.at(device).agree(1, device == victim ? group.all : others, 2).value();

  // As the program is: nobody reveals anything without the signatures of most.
  Words signatures(survivors_record, devices);
  for (const NodeId device : group.all)
    signatures.col(device) = signed_record(group.identities.of(device), device, told[device]);
  for (const NodeId device : group.all) {
    expect_error(ErrorCategory::BadData, {"has not signed that the total is of these"}, [&] {
      require_signed(WordsView(signatures.data(), survivors_record, devices), told[device],
                     group.identities.of(device), devices);
    });
  }

  // The protection is off: devices reveal what they agreed to, each for itself.
  std::vector<std::int64_t> answer = group.sent[static_cast<std::size_t>(victim)];
  const Words own = group.at(victim).reveal_own();
  remove_masks(answer, victim, WordsView(own.data(), own.rows(), own.cols()), {});
  for (const NodeId device : others) {
    const Words seeds = group.at(device).reveal_shared();
    Secret shared(stream_seed_bytes);
    const auto bytes = bytes_of<std::array<std::byte, stream_seed_bytes>>(seeds.col(0).tail(key_record - 1));
    std::ranges::copy(bytes, shared.bytes().begin());
    add_stream(shared, as_unsigned(answer), victim < device ? Sign::minus : Sign::plus);
  }
  EXPECT_EQ(answer, Masked::secret(victim));
}

// Five devices, of which the last `league` sign whatever the server likes. It wants a total of all and one
// without device 0, and may tell the honest ones either.
bool two_totals_are_signed(Index league) {
  constexpr Index all = 5;
  const auto identities = Identities::for_run({.method = "test", .kinds = {Kind::masked}}, 0, all, all);
  const Survivors whole{.number = 1, .asked = {0, 1, 2, 3, 4}, .answered = {0, 1, 2, 3, 4}};
  const Survivors without{.number = 1, .asked = {0, 1, 2, 3, 4}, .answered = {1, 2, 3, 4}};
  const Index honest = all - league;
  const auto is_signed = [&](const Survivors& survivors, Index first, Index last) {
    Words table(survivors_record, last - first + league);
    for (Index i = 0; i < table.cols(); ++i) {
      const auto device = static_cast<NodeId>(i < last - first ? first + i : honest + i - (last - first));
      table.col(i) = signed_record(identities.of(device), device, survivors);
    }
    try {
      require_signed(WordsView(table.data(), table.rows(), table.cols()), survivors, identities.of(0), all);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  for (Index told_all = 1; told_all <= honest; ++told_all) {  // device 0 among them
    if (is_signed(whole, 0, told_all) && is_signed(without, told_all, honest)) return true;
  }
  return false;
}

// Documented: a fifth of the devices may be in league with a server that lies, and no more.
TEST(Attack, ALeagueOfMoreThanAFifthSignsTwoTotals) {
  EXPECT_FALSE(two_totals_are_signed(0));
  EXPECT_FALSE(two_totals_are_signed(1));
  EXPECT_TRUE(two_totals_are_signed(3));
}

// The victim is alone among devices that the server has invented.
TEST(Attack, AServerThatInventsDevices) {
  Masked group;
  const NodeId victim = Masked::victim;
  std::vector<PairMasks> ghosts;
  for (const NodeId device : group.all) ghosts.emplace_back(device, device_pairs_purpose);
  const auto directory = [&](const Identities& signers) {
    Words table(key_record + signature_words, devices);
    for (const NodeId device : group.all) {
      const Words key = device == victim ? group.at(victim).introduction()
                                         : ghosts[static_cast<std::size_t>(device)].introduction();
      table.col(device) = signed_record(signers.of(device), key, device_key_purpose);
    }
    return table;
  };

  // As the program is: the launcher has told the victim who signs for devices 0, 1 and 3.
  const Identities invented =
      Identities::for_run({.method = "test", .kinds = {Kind::masked}}, 0, devices, devices);
  expect_error(ErrorCategory::BadData, {"which has not signed it"},
               [&] { group.roster(directory(invented), victim); });

  // The protection is off: the victim believes the identities that the server tells it.
  const Words believed = directory(invented);
  const SignedRoster roster = SignedRoster::of_some(WordsView(believed.data(), believed.rows(), devices),
                                                    invented.of(victim), device_key_purpose);
  group.at(victim).learn(roster);
  std::vector<std::int64_t> answer = Masked::secret(victim);
  group.at(victim).hide(answer, 1, group.all);
  group.at(victim).agree(1, group.all, devices).value();
  const Words own = group.at(victim).reveal_own();
  remove_masks(answer, victim, WordsView(own.data(), own.rows(), own.cols()), {});
  for (const NodeId ghost : {0, 1, 3}) {
    PairMasks& masks = ghosts[static_cast<std::size_t>(ghost)];
    masks.learn(roster, {victim});
    std::vector<std::int64_t> mask(answer.size(), 0);
    masks.hide(mask, 1, {victim});
    add_words(answer, mask);  // what one adds the other subtracts
  }
  EXPECT_EQ(answer, Masked::secret(victim));
}

// A server that keeps to the protocol, and two totals of one statistic: with and without a device of two
// patients.
TEST(Attack, MomentsWithAndWithoutADevice) {
  const Samples pair = patients()[0].leftCols(2);
  // The protection is off: sums and squares about two centres, the second time without the device.
  const Vector sum = pair.rowwise().sum();
  const Vector squares = pair.rowwise().squaredNorm();
  const Samples rest = side_by_side(std::vector<Samples>(patients().begin() + 1, patients().end()));
  const Vector all_sum = sum + rest.rowwise().sum();
  const Vector all_squares = squares + rest.rowwise().squaredNorm();
  const Vector its_sum = all_sum - rest.rowwise().sum();
  const Vector its_squares = all_squares - rest.rowwise().squaredNorm();
  const Vector half = (its_squares / 2 - (its_sum / 2).cwiseAbs2()).cwiseMax(0).cwiseSqrt();
  EXPECT_LT((its_sum / 2 + half - pair.rowwise().maxCoeff()).cwiseAbs().maxCoeff(), 1e-6);

  // As the program is: whenever the device is silent, no statistic has two totals over different devices.
  std::vector<Samples> shards = patients();
  shards[0] = pair;
  for (const Index silent_round : {0, 1, 2, 3}) {
    Options options = default_options();
    options.gamma = {};
    options.n_clusters = 2;
    options.n_landmarks = 12;
    options.restarts = 2;
    options.preprocessing.standardize = Standardize::zscore;
    options.patience = std::chrono::milliseconds(50);
    Study study;
    study.absent = [=](NodeId device, Index round) { return device == 0 && round == silent_round; };
    SimEngine engine;
    const federated_kmeans::Fit fit = fit_federated_kmeans(engine, shards, options, {.seed = 1}, study);
    std::map<std::string, std::set<std::vector<NodeId>>> sets;
    for (const Round& round : fit.at(devices).rounds) sets[round.what].insert(round.silent);
    EXPECT_EQ(sets.at("means"), sets.at("squares")) << "about different centres, of one set";
    for (const char* statistic : {"means", "squares", "gram"}) {
      const auto times = std::ranges::count(fit.at(devices).rounds, statistic, &Round::what);
      EXPECT_EQ(times, 1) << statistic << " is summed once";
    }
  }
}

}  // namespace
}  // namespace choir::testing_attack
