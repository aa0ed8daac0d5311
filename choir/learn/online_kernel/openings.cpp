#include "choir/learn/online_kernel/openings.h"

#include <algorithm>
#include <cmath>

namespace choir::online_kernel {
namespace {

constexpr double least_growth = 0.125;  // of a total, by a block
// A block that waits while the next one fills up must still have 4 m samples' worth: for blocks of 4 m that
// is so from a half-life of 8 ln 2 m on.
constexpr double half_life_per_feature = 8;
constexpr double heaviest_class = 100;

}  // namespace

double block_quota(Index features, double total) {
  return std::max(samples_per_feature * static_cast<double>(features), least_growth * total);
}

std::uint64_t rounds_until(double missing, Index streams, Index batch) {
  const double each = static_cast<double>(std::max<Index>(streams, 1) * batch);
  return static_cast<std::uint64_t>(std::max(1.0, std::ceil(missing / each)));
}

Index features_to_use(Index wanted, double half_life) {
  if (half_life == 0) return wanted;
  const auto most = static_cast<Index>(half_life / half_life_per_feature);
  return std::clamp<Index>(most, 1, wanted);
}

double share_kept(double half_life, Index streams, Index batch, std::uint64_t rounds) {
  if (half_life == 0) return 1;
  const auto samples = static_cast<double>(streams * batch) * static_cast<double>(rounds);
  return std::exp2(-samples / half_life);
}

std::vector<Index> features_for(double samples, Index features, bool paired) {
  const auto most = static_cast<Index>(samples / samples_per_feature);
  const Index half = (features + 1) / 2;
  std::vector<Index> chosen;
  for (Index i = 0; i < features; ++i) {
    const bool fits = !paired || most >= features ? i < most : i % half < most / 2;
    if (fits) chosen.push_back(i);
  }
  return chosen;
}

double class_weight_of(double count, double all, Index classes) {
  const auto k = static_cast<double>(classes);
  return std::min(heaviest_class, (all + k) / (k * (count + 1)));
}

}  // namespace choir::online_kernel
