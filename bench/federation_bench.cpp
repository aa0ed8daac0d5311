// What masks cost: the answer of one device, a 100 x 100 Gram among 100 devices, as fixed-point words alone
// and with a mask for each other device; what the server does with all 100 answers; and agreeing on keys.
#include <vector>

#include <benchmark/benchmark.h>

#include "choir/base/rng.h"
#include "choir/learn/federation/masks.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"

namespace {

using namespace choir;

constexpr Index side = 100;
constexpr NodeId devices = 100;
constexpr double limit = 1000;

Matrix gram() {
  Rng rng(1, Purpose("bench"));
  Matrix matrix(side, side);
  for (double& entry : matrix.reshaped()) entry = rng.uniform(-limit, limit);
  return matrix;
}

std::vector<NodeId> all_devices() {
  std::vector<NodeId> all;
  for (NodeId device = 1; device <= devices; ++device) all.push_back(device);
  return all;
}

WordsView view(const Words& words) { return {words.data(), words.rows(), words.cols()}; }

// Everybody's public keys, signed, with those of one device that goes on to use them.
SignedRoster directory(const DeviceMasks& first) {
  const Contract masking{.method = "bench", .kinds = {Kind::masked}};
  const Identities identities = Identities::for_run(masking, 0, devices + 1, devices + 1);
  Words table(key_record + signature_words, devices);
  for (NodeId device = 1; device <= devices; ++device) {
    const Words key = device == 1 ? first.introduction() : DeviceMasks(device).introduction();
    table.col(device - 1) = signed_record(identities.of(device), key, device_key_purpose);
  }
  return SignedRoster::of_some(view(table), identities.of(1), device_key_purpose);
}

void plain_answer(benchmark::State& state) {
  const Matrix answer = gram();
  const FixedPoint format = FixedPoint::for_sums_up_to(limit * devices);
  std::vector<std::int64_t> words(static_cast<std::size_t>(answer.size()));
  for (auto _ : state) {
    format.encode(answer, limit, words);
    benchmark::DoNotOptimize(words.data());
  }
}

void masked_answer(benchmark::State& state) {
  const Matrix answer = gram();
  const FixedPoint format = FixedPoint::for_sums_up_to(limit * devices);
  DeviceMasks masks(1);
  masks.learn(directory(masks));
  std::vector<std::int64_t> words(static_cast<std::size_t>(answer.size()));
  std::uint64_t attempt = 0;
  for (auto _ : state) {
    format.encode(answer, limit, words);
    masks.hide(words, ++attempt, all_devices());
    benchmark::DoNotOptimize(words.data());
  }
}

// All answers added and their own masks removed; of each device also the masks that it shared with the
// silent, as many as the argument says.
void unmasking_a_total(benchmark::State& state) {
  const auto silent_count = static_cast<NodeId>(state.range(0));
  const std::vector<std::int64_t> answer(static_cast<std::size_t>(side * side), 7);
  std::vector<NodeId> silent;
  for (NodeId i = 0; i < silent_count; ++i) silent.push_back(devices - silent_count + 1 + i);
  for (auto _ : state) {
    std::vector<std::int64_t> total(answer.size(), 0);
    for (NodeId device = 1; device <= devices - silent_count; ++device) {
      Words seeds = Words::Constant(key_record, 1 + silent_count, device);
      for (NodeId i = 0; i < silent_count; ++i) seeds(0, 1 + i) = silent[static_cast<std::size_t>(i)];
      add_words(total, answer);
      remove_masks(total, device, view(seeds), silent);
    }
    benchmark::DoNotOptimize(total.data());
  }
}

void agreeing_on_keys(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    DeviceMasks masks(1);
    const SignedRoster roster = directory(masks);
    state.ResumeTiming();
    masks.learn(roster);
  }
}

BENCHMARK(plain_answer)->Unit(benchmark::kMillisecond);
BENCHMARK(masked_answer)->Unit(benchmark::kMillisecond);
BENCHMARK(unmasking_a_total)->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond);
BENCHMARK(agreeing_on_keys)->Unit(benchmark::kMillisecond);

}  // namespace
