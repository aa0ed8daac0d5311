#include "choir/run/online/checkpoint.h"

#include <algorithm>
#include <bit>
#include <optional>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view extension = ".npz";

// "node-3-round-" of a file's name, and the number that follows.
std::optional<std::uint64_t> round_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(extension)) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(extension.size());
  const auto round = parse_integer(name);
  if (!round || *round < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*round);
}

std::string prefix_of(NodeId node) { return fmt::format("node-{}-round-", node); }

}  // namespace

OnlineCheckpoint::OnlineCheckpoint(fs::path folder, std::string identity, const Rhythm& rhythm)
    : folder_(std::move(folder)), identity_(std::move(identity)), rhythm_(rhythm) {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) {
    fail(ErrorCategory::Io, "the folder {} cannot be made: {}", folder_.string(), failure.message());
  }
}

fs::path OnlineCheckpoint::file_of(NodeId node, std::uint64_t round) const {
  return folder_ / fmt::format("{}{}{}", prefix_of(node), round, extension);
}

std::vector<std::uint64_t> OnlineCheckpoint::rounds_of(NodeId node) const {
  std::vector<std::uint64_t> rounds;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, unreadable)) {
    if (const auto round = round_in(entry.path().filename().string(), prefix_of(node)))
      rounds.push_back(*round);
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds;
}

bool OnlineCheckpoint::is_empty() const {
  for (NodeId node = 0; node < rhythm_.nodes; ++node) {
    if (!rounds_of(node).empty()) return false;
  }
  return true;
}

// The slowest node may be `nodes` rounds behind, and its last state `every` before that. Once the last stream
// has ended, fewer than 4 `nodes` rounds follow until all know it; a run with more passes goes on from before
// them. For streams that end long before others there are states of ever older rounds.
// Those that were asked for between two go with them. Nodes that keep moments go on alone until they meet.
void OnlineCheckpoint::keep(NodeId node, const SavedState& saved) const {
  const std::uint64_t newest = saved.state.round;
  save_state(file_of(node, newest), saved, identity_);
  const auto& features = saved.state.features;
  const std::uint64_t alone = features ? newest - features->met : 0;
  const std::uint64_t needed = rhythm_.every + 5 * static_cast<std::uint64_t>(rhythm_.nodes) + alone;
  for (const std::uint64_t round : rounds_of(node)) {
    std::error_code ignored;
    const bool milestone = is_due(round) && std::has_single_bit(round / rhythm_.every);
    if (round + needed < newest && !milestone) fs::remove(file_of(node, round), ignored);
  }
}

void OnlineCheckpoint::forget_after(NodeId node, std::uint64_t last) const {
  for (const std::uint64_t round : rounds_of(node)) {
    std::error_code ignored;
    if (round > last) fs::remove(file_of(node, round), ignored);
  }
  const std::string model = fmt::format("model-{}.npz.", node);
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, unreadable)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix_of(node)) && !name.starts_with(model)) continue;
    std::error_code ignored;
    if (name.find(".npz.tmp-") != std::string::npos) fs::remove(entry.path(), ignored);
  }
}

SavedState OnlineCheckpoint::load(NodeId node, std::uint64_t round) const {
  return load_state(file_of(node, round), identity_);
}

}  // namespace choir
