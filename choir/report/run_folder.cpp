#include "choir/report/run_folder.h"

#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
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

// A file that one process holds at a time, beside the folder that it stands for. The system lets go of it
// when the process dies.
class TargetLock {
 public:
  explicit TargetLock(const fs::path& target)
      : path_(target.parent_path() / fmt::format(".{}.lock", target.filename().string())) {}
  ~TargetLock() { release(); }
  TargetLock(const TargetLock&) = delete;
  TargetLock& operator=(const TargetLock&) = delete;

  // False: somebody else has it.
  bool take() {
    for (;;) {
      file_ = open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
      if (file_ < 0)
        fail(ErrorCategory::Io, "cannot write {}: {}", path_.string(), std::system_category().message(errno));
      if (flock(file_, LOCK_EX | LOCK_NB) != 0) return close_file(), false;
      if (is_still_there()) return true;
      close_file();  // its last holder has just removed it
    }
  }
  void release() {
    if (file_ < 0) return;
    unlink(path_.c_str());
    close_file();
  }

 private:
  bool is_still_there() const {
    struct stat held {
    }, there{};
    return fstat(file_, &held) == 0 && stat(path_.c_str(), &there) == 0 && held.st_ino == there.st_ino;
  }
  void close_file() {
    close(file_);
    file_ = -1;
  }

  fs::path path_;
  int file_ = -1;
};

}  // namespace

struct RunFolder::Lock : TargetLock {
  using TargetLock::TargetLock;
};

RunFolder RunFolder::create(const fs::path& target, const RunFolderOptions& options) {
  const fs::path full = fs::absolute(target).lexically_normal();
  const fs::path clean = full.has_filename() ? full : full.parent_path();  // "runs/digits/" is "runs/digits"
  check_target(clean, options);
  std::error_code error;
  fs::create_directories(clean.parent_path(), error);
  if (error) {
    fail(ErrorCategory::Io, "cannot make the output folder {}: {}; choose a place that can be written",
         target.string(), error.message());
  }
  auto lock = std::make_unique<Lock>(clean);
  if (!lock->take()) {
    fail(ErrorCategory::InvalidArgument,
         "another run is writing into {}; wait until it ends, or choose another folder", target.string());
  }
  check_target(clean, options);  // it may have been another's until now
  const fs::path staging =
      clean.parent_path() / fmt::format(".{}.partial-{}", clean.filename().string(), getpid());
  fs::create_directories(staging, error);
  if (error) {
    fail(ErrorCategory::Io, "cannot make the output folder {}: {}; choose a place that can be written",
         target.string(), error.message());
  }
  return RunFolder(clean, staging, std::move(lock));
}

RunFolder::RunFolder(fs::path target, fs::path staging, std::unique_ptr<Lock> lock)
    : target_(std::move(target)), staging_(std::move(staging)), lock_(std::move(lock)) {}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : target_(std::move(other.target_)),
      staging_(std::exchange(other.staging_, {})),
      lock_(std::move(other.lock_)) {}

RunFolder::~RunFolder() { abandon(); }

void RunFolder::abandon() {
  if (staging_.empty()) return;
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
  staging_.clear();
  lock_.reset();
}

void RunFolder::write(std::string_view name, std::string_view text, Privacy privacy) const {
  write_file_atomically(file(name), text, privacy);
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
  lock_.reset();
  if (replaces) fs::remove_all(old, error);
}

}  // namespace choir
