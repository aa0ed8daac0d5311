#include "choir/run/online/taken_samples.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {

void TakenSamples::keep_in(const std::filesystem::path& path, const Beginning& beginning) {
  path_ = path;
  if (std::ifstream before(path); before && beginning.continues) before >> earlier_;
  earlier_ = std::max(earlier_, beginning.learned);
  lost_ = earlier_ - beginning.learned;
  file_.open(path, std::ios::out | std::ios::trunc);
  note(0);
}

// Of one width, so that a number replaces all of the one before.
void TakenSamples::note(std::uint64_t samples) {
  if (path_.empty()) return;
  file_.seekp(0);
  file_ << fmt::format("{:020}\n", earlier_ + samples) << std::flush;
  if (!file_) fail(ErrorCategory::Io, "cannot write {}", path_.string());
}

}  // namespace choir
