#include "choir/run/online/checkpoint.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>
#include <span>

#include "codec/support.h"
#include "graph/expect_error.h"
#include "learn/online_kernel/toy.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/codec/archive.h"
#include "choir/run/online/state_file.h"

namespace choir {
namespace {

using choir::testing::expect_error;
using choir::testing::expect_same;
using choir::testing::random_matrix;

online_kernel::State state_after(std::uint64_t round, Index atoms = 4) {
  online_kernel::State state;
  state.round = round;
  state.samples = 32 * round + 1;
  state.kernel = {.kind = KernelKind::rbf, .gamma = 1.0 / 3};
  state.preprocessing.divide = 255;
  state.preprocessing.standardize = Standardize::zscore;
  state.preprocessing.mean = random_matrix(3, 1, 5);
  state.preprocessing.scale = random_matrix(3, 1, 6);
  state.f = {.atoms = random_matrix(3, atoms, 1),
             .weights = random_matrix(atoms, 2, 2),
             .gram = random_matrix(atoms, atoms, 3)};
  state.eta = 0.1;
  state.epsilon = 1e-300;
  state.penalty = 0.3;
  state.penalty_cap = std::numeric_limits<double>::denorm_min();
  state.ended = true;
  state.stop_counter = 7;
  state.loss = 1.0 / 7;
  state.disagreement = 1e-17;
  state.largest_order = 9;
  state.capped_at = 5;
  return state;
}

TEST(OnlineStateFile, KeepsAllBits) {
  const TemporaryFolder folder;
  for (const Index atoms : {4, 0}) {
    online_kernel::State state = state_after(12, atoms);
    if (atoms > 0) state.f.weights(0, 0) = -0.0;
    save_state(folder.path() / "state.npz", {.state = state, .bad_records = 3}, "a run");
    const SavedState loaded = load_state(folder.path() / "state.npz", "a run");
    expect_same(loaded.state, state);
    EXPECT_EQ(loaded.records(), state.samples + 3);
  }
}

online_kernel::FeatureSums any_sums(std::uint64_t seed) {
  online_kernel::FeatureSums sums = online_kernel::FeatureSums::none(5, 2);
  sums.learn(random_matrix(5, 9, seed), random_matrix(9, 2, seed + 1), random_matrix(9, 1, seed + 2));
  return sums;
}

online_kernel::Memories any_memories() {
  return {.half_lives = Eigen::Vector2d(0, 80),
          .sums = {any_sums(31), any_sums(34)},
          .losses = random_matrix(2, 6, 37),
          .asked = 1.0 / 3};
}

online_kernel::FitSums any_fit(double distances) {
  return {.samples = 12, .pairs = 11, .distances = distances, .steps = 0.3, .lengths = 1.0 / 7};
}

// Of the shape that features have below.
online_kernel::RivalSet any_rival(bool random) {
  online_kernel::RivalSet rival;
  if (random) {
    rival.random = RandomFeaturesOptions{.count = 5, .seed = 3};
  } else {
    rival.landmarks = random_matrix(3, 6, 21);
    rival.whitening = random_matrix(6, 5, 22);
  }
  rival.closed = any_sums(23);
  rival.pending = any_sums(26);
  rival.own_samples = 17;
  rival.memories = any_memories();
  rival.half_life = 80;
  rival.verdict = online_kernel::Examination::of(random_matrix(1, 22, 29));
  rival.kernel = {.gamma = 0.7};
  rival.preprocessing = {
      .standardize = Standardize::zscore, .mean = random_matrix(3, 1, 27), .scale = random_matrix(3, 1, 28)};
  rival.scene = {.centre = random_matrix(3, 1, 30), .spread = 1.0 / 3};
  rival.asked = 2;
  rival.loss = 0.6;
  rival.incumbent_loss = 0.7;
  return rival;
}

online_kernel::QuickSet any_quick_set() {
  online_kernel::QuickSet quick;
  quick.closed = any_sums(41);
  quick.pending = any_sums(44);
  quick.memories = any_memories();
  quick.weights = random_matrix(6, 2, 47);
  quick.used = 5;
  quick.verdict = online_kernel::Examination::of(random_matrix(1, 22, 48));
  quick.asked = {.weight = 7, .quick_loss = 0.1, .usual_loss = 1.0 / 3};
  quick.contest = {.weight = 70, .quick_loss = 0.9, .usual_loss = 2.0 / 3};
  quick.leads = true;
  return quick;
}

TEST(OnlineStateFile, IsItsOwnersAlone) {
  const TemporaryFolder folder;
  save_state(folder.path() / "state.npz", {.state = state_after(12)}, "a run");
  EXPECT_EQ(mode_of(folder / "state.npz"), 0600u);
}

TEST(OnlineStateFile, KeepsAllBitsOfFeatures) {
  const TemporaryFolder folder;
  for (const bool random : {true, false}) {
    online_kernel::State state = state_after(12, 0);
    state.target = {.centre = 1.0 / 3, .scale = 7};
    online_kernel::FeatureState features;
    if (random) {
      features.random = RandomFeaturesOptions{.count = 5, .seed = ~std::uint64_t{0}};
    } else {
      features.landmarks = random_matrix(3, 6, 1);
      features.whitening = random_matrix(6, 5, 2);
    }
    features.closed = any_sums(3);
    features.pending = any_sums(6);
    features.pending_samples = 9;
    features.uncounted = random_matrix(2, 1, 4);
    features.recent = {.samples = random_matrix(3, 4, 5),
                       .targets = random_matrix(4, 1, 6),
                       .weights = random_matrix(4, 1, 7)};
    features.class_counts = random_matrix(2, 1, 8);
    features.total = 0.1;
    features.unopened = 0.2;
    features.streams = 3;
    features.met = 4;
    features.next = 5;
    features.losses = random_matrix(6, 1, 9);
    features.weights = random_matrix(6, 2, 10);
    features.ridge = 0.3;
    features.score_scale = 11;
    features.totals = 6;
    features.used = 4;
    features.solved_at = 64;
    features.warm_up = 2;
    features.verdict = online_kernel::Examination::of(random_matrix(1, 22, 11));
    features.finished = random;
    features.own_samples = 70;
    features.half_life = 320;
    features.fit = any_fit(-0.1);
    features.fitness = {.scene = {.centre = random_matrix(3, 1, 12), .spread = 0.9},
                        .usual = any_fit(0.7),
                        .strange_blocks = 1};
    features.renewals = 1;
    if (random) features.memories = any_memories();
    features.rival = any_rival(random);
    features.quick = any_quick_set();
    state.features = features;
    save_state(folder.path() / "state.npz", {.state = state}, "a run");
    expect_same(load_state(folder.path() / "state.npz", "a run").state, state);
  }
}

TEST(OnlineStateFile, OfAnotherRunIsRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "state.npz";
  save_state(path, {.state = state_after(12)}, "a run");
  expect_error(ErrorCategory::InvalidArgument, {"state.npz", "other data or options"},
               [&] { load_state(path, "another run"); });
  expect_error(ErrorCategory::Io, {"none.npz"}, [&] { load_state(folder.path() / "none.npz", "a run"); });
}

// As the first version wrote it, without a format, and as later ones did.
TEST(OnlineStateFile, OfAnotherFormatIsRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "state.npz";
  save_state(path, {.state = state_after(12)}, "a run");
  const Archive written = read_archive(path);
  ASSERT_EQ(written[0].name, "manifest.json");
  const std::string manifest(reinterpret_cast<const char*>(written[0].bytes.data()), written[0].bytes.size());
  const std::string format = "\"format\":6,";
  ASSERT_NE(manifest.find(format), std::string::npos);
  for (const auto& [earlier, words] :
       {std::pair("", "format 1"), std::pair("\"format\":2,", "format 2"),
        std::pair("\"format\":3,", "format 3"), std::pair("\"format\":4,", "format 4"),
        std::pair("\"format\":5,", "format 5")}) {
    std::string changed = manifest;
    changed.replace(changed.find(format), format.size(), earlier);
    Archive archive = written;
    const auto bytes = std::as_bytes(std::span(changed));
    archive[0].bytes.assign(bytes.begin(), bytes.end());
    write_archive(path, archive);
    expect_error(ErrorCategory::BadData, {"state.npz", words, "begin anew"},
                 [&] { load_state(path, "a run"); });
  }
}

// Cut anywhere, or with any byte changed: an error that names the file, or (a byte that nobody reads) the
// same state.
TEST(OnlineStateFile, ThatIsDamagedIsRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "state.npz";
  const online_kernel::State state = state_after(12);
  save_state(path, {.state = state}, "a run");
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto load = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    try {
      expect_same(load_state(path, "a run").state, state);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("state.npz"), std::string::npos) << error.what();
    }
  };
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
    EXPECT_THROW(load_state(path, "a run"), Error) << "cut after " << size << " bytes";
  }
  for (std::size_t place = 0; place < bytes.size(); place += 5) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ 0x55);
    load(changed);
  }
}

void keep_if_due(const OnlineCheckpoint& states, NodeId node, std::uint64_t round) {
  if (states.is_due(round)) states.keep(node, {.state = state_after(round)});
}

// One that somebody asked for stays no longer than its neighbours do.
TEST(OnlineCheckpoint, KeepsWhatIsAskedForBetweenTwo) {
  const TemporaryFolder folder;
  const OnlineCheckpoint states(folder.path(), "a run", {.every = 10, .nodes = 1});
  states.keep(0, {.state = state_after(13)});
  for (std::uint64_t round = 14; round <= 20; ++round) keep_if_due(states, 0, round);
  EXPECT_EQ(states.rounds_of(0), (std::vector<std::uint64_t>{13, 20}));
  for (std::uint64_t round = 21; round <= 50; ++round) keep_if_due(states, 0, round);
  EXPECT_EQ(states.rounds_of(0), (std::vector<std::uint64_t>{20, 40, 50}));
}

TEST(OnlineCheckpoint, KeepsWhatSomeNodeMayNeed) {
  const TemporaryFolder folder;
  const OnlineCheckpoint states(folder.path() / "states", "a run", {.every = 10, .nodes = 3});
  EXPECT_TRUE(states.is_empty());
  for (std::uint64_t round = 1; round <= 109; ++round) keep_if_due(states, 1, round);
  // Others may be three rounds behind, or their streams have ended twelve rounds ago: 80 may be the newest of
  // before that. And 1, 2, 4 and 8 times ten for streams that ended long ago.
  EXPECT_EQ(states.rounds_of(1), (std::vector<std::uint64_t>{10, 20, 40, 80, 90, 100}));
  states.forget_after(1, 50);
  EXPECT_EQ(states.rounds_of(1), (std::vector<std::uint64_t>{10, 20, 40}));
  EXPECT_TRUE(states.rounds_of(0).empty());
  EXPECT_FALSE(states.is_empty());
  expect_same(states.load(1, 40).state, state_after(40));
  std::ofstream(folder.path() / "states/node-0-round-x.npz") << "somebody else's";
  std::ofstream(folder.path() / "states/notes.txt") << "somebody else's";
  EXPECT_TRUE(states.rounds_of(0).empty());
}

// Node 1 of 30 is 25 rounds ahead of the last one: both have a state of one and the same round.
// Nodes that keep moments go on alone between meetings: another one may still be where they met.
TEST(OnlineCheckpoint, ReachesBackToTheLastMeeting) {
  const TemporaryFolder folder;
  const OnlineCheckpoint states(folder.path(), "a run", {.every = 10, .nodes = 1});
  online_kernel::State state = state_after(200);
  for (const std::uint64_t round : {110, 120, 130, 200}) {
    state.round = round;
    state.features.emplace();
    state.features->met = 105;
    states.keep(0, {.state = state});
  }
  EXPECT_EQ(states.rounds_of(0), (std::vector<std::uint64_t>{110, 120, 130, 200}));
  state.round = 210;
  state.features->met = 205;
  states.keep(0, {.state = state});
  EXPECT_EQ(states.rounds_of(0), (std::vector<std::uint64_t>{200, 210}));
}

TEST(OnlineCheckpoint, HasARoundThatDistantNodesShare) {
  const TemporaryFolder folder;
  const OnlineCheckpoint states(folder.path(), "a run", {.every = 10, .nodes = 30});
  for (std::uint64_t round = 1; round <= 65; ++round) keep_if_due(states, 1, round);
  for (std::uint64_t round = 1; round <= 40; ++round) keep_if_due(states, 29, round);
  const std::vector<std::uint64_t> ahead = states.rounds_of(1);
  EXPECT_NE(std::find(ahead.begin(), ahead.end(), states.rounds_of(29).back()), ahead.end());
}

TEST(OnlineCheckpoint, ForgetsWhatAKilledProcessWasWriting) {
  const TemporaryFolder folder;
  const OnlineCheckpoint states(folder.path(), "a run", {.every = 10, .nodes = 20});
  for (const char* name : {"node-1-round-20.npz.tmp-77-0", "model-1.npz.tmp-77-1", "model-1.npz",
                           "node-11-round-20.npz.tmp-77-0", "notes.npz.tmp-1-1"})
    std::ofstream(folder.path() / name) << "half";
  states.forget_after(1, 10);
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    left.insert(entry.path().filename().string());
  EXPECT_EQ(left,
            (std::set<std::string>{"model-1.npz", "node-11-round-20.npz.tmp-77-0", "notes.npz.tmp-1-1"}));
}

TEST(OnlineCheckpoint, NamesAFolderThatCannotBeMade) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "";
  expect_error(ErrorCategory::Io, {"file"},
               [&] { OnlineCheckpoint(folder.path() / "file" / "states", "", {}); });
}

}  // namespace
}  // namespace choir
