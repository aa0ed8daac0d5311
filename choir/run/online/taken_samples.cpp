#include "choir/run/online/taken_samples.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {

std::filesystem::path taken_file(const std::filesystem::path& folder, NodeId first) {
  return folder / fmt::format("node-{}-taken.txt", first);
}

void TakenSamples::go_on_in(const std::filesystem::path& path) {
  read_earlier(path);
  file_.open(path, std::ios::in | std::ios::out);
  if (file_) path_ = path;
}

void TakenSamples::keep_in(const std::filesystem::path& path, const Beginning& beginning) {
  if (path_.empty()) read_earlier(path);
  if (!beginning.continues) {
    earlier_ = 0;
    began_within_line_ = false;
  }
  earlier_ = std::max(earlier_, beginning.learned);
  lost_ = before() - beginning.learned;
  if (path_.empty()) file_ = std::fstream(path, std::ios::out | std::ios::trunc);
  path_ = path;
  write();
}

void TakenSamples::note(const ReadSoFar& so_far) {
  so_far_ = so_far;
  if (!path_.empty()) write();
}

// Records, unread lines, whether there is a part of a line behind them. What nobody read is gone by now.
// Earlier versions wrote the first number alone.
void TakenSamples::read_earlier(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::uint64_t unread = 0;
  file >> earlier_ >> unread >> began_within_line_;
  earlier_ += unread;
}

// Whoever ended within a line and whoever passed over the rest of one may speak of the same line.
std::uint64_t TakenSamples::before() const {
  const std::uint64_t in_part = began_within_line_ ? 1 : 0;
  return earlier_ + std::max(in_part, so_far_.lines.passed_over);
}

// Of one width, so that a line replaces all of the one before.
void TakenSamples::write() {
  file_.seekp(0);
  file_ << fmt::format("{:020} {:020} {:d}\n", before() + so_far_.records, so_far_.lines.unread,
                       so_far_.lines.ends_within_a_line)
        << std::flush;
  if (!file_) fail(ErrorCategory::Io, "cannot write {}", path_.string());
}

}  // namespace choir
