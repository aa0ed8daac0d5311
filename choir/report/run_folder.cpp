#include "choir/report/run_folder.h"

#include <system_error>
#include <utility>

#include <unistd.h>

#include "choir/base/error.h"
#include "choir/codec/files.h"

namespace choir {
namespace fs = std::filesystem;
namespace {

bool is_run_of_choir(const fs::path& folder) { return fs::exists(folder / "result.json"); }

void check_target(const fs::path& target, const RunFolderOptions& options) {
  std::error_code ignored;
  if (!fs::exists(target, ignored)) return;
  if (!fs::is_directory(target)) {
    fail(ErrorCategory::InvalidArgument, "the output {} exists and is not a folder; choose another name",
         target.string());
  }
  if (fs::is_empty(target)) return;
  if (!options.force) {
    fail(ErrorCategory::InvalidArgument, "the output folder {} exists; choose another name{}",
         target.string(), options.replaceable ? ", or replace it with --force" : "");
  }
  if (!is_run_of_choir(target)) {
    fail(ErrorCategory::InvalidArgument,
         "the output folder {} holds something other than a choir run; --force does not delete it",
         target.string());
  }
}

}  // namespace

RunFolder RunFolder::create(const fs::path& target, const RunFolderOptions& options) {
  const fs::path full = fs::absolute(target).lexically_normal();
  const fs::path clean = full.has_filename() ? full : full.parent_path();  // "runs/digits/" is "runs/digits"
  check_target(clean, options);
  const fs::path staging =
      clean.parent_path() / fmt::format(".{}.partial-{}", clean.filename().string(), getpid());
  std::error_code error;
  fs::create_directories(staging, error);
  if (error) {
    fail(ErrorCategory::Io, "cannot make the output folder {}: {}", target.string(), error.message());
  }
  return RunFolder(clean, staging);
}

RunFolder::RunFolder(fs::path target, fs::path staging)
    : target_(std::move(target)), staging_(std::move(staging)) {}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : target_(std::move(other.target_)), staging_(std::exchange(other.staging_, {})) {}

RunFolder::~RunFolder() {
  if (staging_.empty()) return;
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

void RunFolder::write(std::string_view name, std::string_view text) const {
  write_file_atomically(file(name), text);
}

void RunFolder::commit() {
  // The earlier run steps aside and goes only when the new one stands in its place.
  const fs::path old = staging_.string() + "-old";
  std::error_code error;
  const bool replaces = fs::exists(target_);
  if (replaces) fs::rename(target_, old, error);
  if (!error) fs::rename(staging_, target_, error);
  if (error) {
    std::error_code ignored;
    if (replaces && !fs::exists(target_)) fs::rename(old, target_, ignored);
    fail(ErrorCategory::Io, "cannot put the output folder {} in place: {}", target_.string(),
         error.message());
  }
  staging_.clear();
  if (replaces) fs::remove_all(old, error);
}

}  // namespace choir
