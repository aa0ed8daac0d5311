#include "choir/run/online/live_models.h"

#include "codec/support.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

online_kernel::State state_with(std::uint64_t samples) {
  online_kernel::State state;
  state.samples = samples;
  state.kernel = {.kind = KernelKind::rbf, .gamma = 0.5};
  state.f = {.atoms = testing::random_matrix(3, 4, 1),
             .weights = testing::random_matrix(4, 2, 2),
             .gram = testing::random_matrix(4, 4, 3)};
  return state;
}

// 0: there is no file.
std::uint64_t samples_of(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return 0;
  const ModelFile file = load_model(path);
  return require_machine(file.answer()).training_samples;
}

TEST(LiveModels, AreSavedAfterEverySoManySamples) {
  const TemporaryFolder folder;
  LiveModels models(folder.path(), {.every = SaveRhythm{.samples = 100}, .classes = class_names({"a", "b"})});
  const std::pair<std::uint64_t, std::uint64_t> rounds[] = {{64, 0}, {128, 128}, {192, 128}, {256, 256}};
  for (const auto& [samples, saved] : rounds) {
    models.look(2, state_with(samples));
    EXPECT_EQ(samples_of(folder / "model-2.npz"), saved) << samples;
  }
  models.look(0, state_with(100));
  EXPECT_EQ(samples_of(folder / "model-0.npz"), 100u);
  const ModelFile file = load_model(folder / "model-2.npz");
  EXPECT_EQ(file.method, "online-kernel");
  EXPECT_EQ(file.node, 2);
  EXPECT_EQ(require_machine(file.answer()).class_names, (std::vector<std::string>{"a", "b"}));
}

TEST(LiveModels, AreSavedAfterATime) {
  const TemporaryFolder folder;
  LiveModels soon(folder.path(),
                  {.every = SaveRhythm{.time = Duration(1)}, .classes = class_names({"0", "1"})});
  soon.look(0, state_with(32));
  EXPECT_EQ(samples_of(folder / "model-0.npz"), 0u) << "the time begins with the first round";
  soon.look(0, state_with(64));
  EXPECT_EQ(samples_of(folder / "model-0.npz"), 64u);
  LiveModels late(folder.path(),
                  {.every = SaveRhythm{.time = std::chrono::hours(1)}, .classes = class_names({"0", "1"})});
  for (const std::uint64_t samples : {32, 64, 96}) late.look(1, state_with(samples));
  EXPECT_EQ(samples_of(folder / "model-1.npz"), 0u);
  late.save(1, state_with(96));
  EXPECT_EQ(samples_of(folder / "model-1.npz"), 96u);
}

}  // namespace
}  // namespace choir
