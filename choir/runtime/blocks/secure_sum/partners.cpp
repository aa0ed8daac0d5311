#include "choir/runtime/blocks/secure_sum/partners.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "choir/base/rng.h"
#include "choir/crypto/sha256.h"

namespace choir {
namespace {

constexpr double security_bits = 40;

std::vector<NodeId> all_but(NodeId self, std::vector<NodeId> nodes) {
  std::erase(nodes, self);
  return nodes;
}

}  // namespace

Index partner_count(Index nodes) {
  if (nodes <= most_complete) return nodes - 1;
  const double least = (security_bits + std::log2(static_cast<double>(nodes))) / std::log2(1 / bad_share);
  return 2 * static_cast<Index>(std::ceil(least / 2));
}

MaskPartners::MaskPartners(const std::vector<NodeId>& nodes, std::uint64_t seed) {
  Rng random(seed, Purpose("circle of masks"));
  const Index count = std::ssize(nodes);
  for (const Index i : random.choose(count, count)) circle_.push_back(nodes[static_cast<std::size_t>(i)]);
  for (std::size_t i = 0; i < circle_.size(); ++i) place_[circle_[i]] = i;
}

MaskPartners MaskPartners::from_keys(const WordsView& table) {
  std::vector<NodeId> nodes;
  for (Index i = 0; i < table.cols(); ++i) nodes.push_back(static_cast<NodeId>(table(0, i)));
  const std::string hash =
      sha256(std::as_bytes(std::span(table.data(), static_cast<std::size_t>(table.size()))));
  return {nodes, std::stoull(hash.substr(0, 16), nullptr, 16)};
}

std::vector<NodeId> MaskPartners::of(NodeId self, const std::vector<NodeId>& taking_part) const {
  const Index wanted = partner_count(std::ssize(taking_part));
  const auto own = place_.find(self);
  if (wanted + 1 >= std::ssize(taking_part) || own == place_.end()) return all_but(self, taking_part);
  std::vector<NodeId> partners;
  const std::size_t size = circle_.size();
  for (const std::size_t step : {std::size_t{1}, size - 1}) {  // forward, and backward
    std::size_t place = own->second;
    for (Index found = 0; found < wanted / 2;) {
      place = (place + step) % size;
      if (place == own->second) break;  // some that take part are not known here
      if (!std::ranges::binary_search(taking_part, circle_[place])) continue;
      partners.push_back(circle_[place]);
      ++found;
    }
  }
  std::ranges::sort(partners);
  return partners;
}

}  // namespace choir
