#include <utility>

#include "choir/base/error.h"
#include "choir/learn/alignment/alignment.h"

namespace choir {
namespace {

std::vector<Index> places_beside(const std::vector<Index>& kept, Index samples) {
  std::vector<bool> is_kept(static_cast<std::size_t>(samples), false);
  for (const Index place : kept) is_kept[static_cast<std::size_t>(place)] = true;
  std::vector<Index> others;
  for (Index place = 0; place < samples; ++place) {
    if (!is_kept[static_cast<std::size_t>(place)]) others.push_back(place);
  }
  return others;
}

}  // namespace

Task<std::vector<Index>> restore_order(Node& node, Samples& samples, SampleOrder& order, Index max_keys) {
  const std::vector<Index> kept = co_await common_rows(node, order.keys, max_keys);
  if (kept.empty()) {
    throw Error(ErrorCategory::BadData,
                "no key occurs at all parties, so they have no sample in common; check that their keys name "
                "the same things and are written the same way");
  }
  std::vector<Index> left_out = places_beside(kept, samples.cols());
  std::vector<std::string> common;
  for (const Index place : kept) common.push_back(std::move(order.keys[static_cast<std::size_t>(place)]));
  samples = Samples(samples(Eigen::all, kept));
  order = {.keys = std::move(common), .samples = std::ssize(kept)};
  co_return left_out;
}

}  // namespace choir
