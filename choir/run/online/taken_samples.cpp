#include "choir/run/online/taken_samples.h"

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {

TakenSamples::TakenSamples(const std::filesystem::path& folder, NodeId node)
    : path_(folder / fmt::format("node-{}-taken.txt", node)) {
  if (std::ifstream before(path_); before) before >> earlier_;
  note(earlier_);
}

// Of one width, so that a number replaces all of the one before.
void TakenSamples::note(std::uint64_t samples) {
  if (!file_.is_open()) file_.open(path_, std::ios::out | std::ios::trunc);
  file_.seekp(0);
  file_ << fmt::format("{:020}\n", samples) << std::flush;
  if (!file_) fail(ErrorCategory::Io, "cannot write {}", path_.string());
}

}  // namespace choir
