#include "choir/run/privacy_budget.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "choir/base/error.h"
#include "choir/learn/privacy/gaussian_privacy.h"

namespace choir {
namespace {

[[noreturn]] void refuse_system(const std::filesystem::path& path, const char* what) {
  fail(ErrorCategory::Io, "{}: the privacy budget cannot be {}: {}", path.string(), what,
       std::strerror(errno));
}

// The open file, locked until the end.
class LockedFile {
 public:
  explicit LockedFile(const std::filesystem::path& path)
      : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (file_ < 0) refuse_system(path_, "opened");
    while (flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int reason = errno;
      close(file_);
      errno = reason;
      refuse_system(path_, "locked");
    }
  }
  ~LockedFile() { close(file_); }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  void require_owner_only() const {
    struct stat found = {};
    if (fstat(file_, &found) != 0) refuse_system(path_, "examined");
    if (S_ISREG(found.st_mode) && (found.st_mode & 077) == 0) return;
    fail(ErrorCategory::BadData,
         "{} must be a file that its owner alone may read and write; use chmod 600 if it is the right one",
         path_.string());
  }

  std::string text() const {
    std::string text;
    char part[4096];
    ssize_t count = 0;
    while ((count = pread(file_, part, sizeof part, static_cast<off_t>(text.size()))) != 0) {
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse_system(path_, "read");
      text.append(part, static_cast<std::size_t>(count));
    }
    return text;
  }

  // In place of everything from `begin` on, on the disk when it returns.
  void write_from(std::size_t begin, std::string_view text) const {
    if (ftruncate(file_, static_cast<off_t>(begin)) != 0) refuse_system(path_, "written");
    while (!text.empty()) {
      const ssize_t count = pwrite(file_, text.data(), text.size(), static_cast<off_t>(begin));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse_system(path_, "written");
      begin += static_cast<std::size_t>(count);
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    if (fsync(file_) != 0) refuse_system(path_, "synced");
  }

  // The file's name, too, must survive a crash.
  void sync_folder() const {
    const std::filesystem::path parent = path_.has_parent_path() ? path_.parent_path() : ".";
    const int folder = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) refuse_system(path_, "synced");
    const bool synced = fsync(folder) == 0;
    close(folder);
    if (!synced) refuse_system(path_, "synced");
  }

 private:
  const std::filesystem::path& path_;
  int file_;
};

std::string first_line(const PrivacyLimit& limit) {
  return fmt::format("choir privacy budget 1: epsilon {}, delta {}\n", limit.epsilon, limit.delta);
}

struct Account {
  double rho = 0;
  std::size_t bytes = 0;  // of whole lines
};

// "0.125 consensus-kpca, landmarks"
double rho_of(std::string_view line, const std::filesystem::path& path) {
  double rho = 0;
  const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), rho);
  if (problem == std::errc() && rho >= 0 && std::isfinite(rho) && end != line.data() + line.size() &&
      *end == ' ')
    return rho;
  fail(ErrorCategory::BadData, "{} has a line that is no charge: '{}'; nobody but choir may change this file",
       path.string(), line);
}

// A last line without its end was being written when something crashed: it was not yet charged, and nothing
// had left.
Account account_in(const std::string& text, const PrivacyLimit& limit, const std::filesystem::path& path) {
  const std::string first = first_line(limit);
  if (!text.starts_with(first)) {
    fail(ErrorCategory::BadData,
         "{} is not a privacy budget of epsilon {} with delta {}; a budget that runs have used is not "
         "changed, "
         "so name its own epsilon and delta, or the right file",
         path.string(), limit.epsilon, limit.delta);
  }
  Account account{.rho = 0, .bytes = first.size()};
  for (std::size_t end = 0; (end = text.find('\n', account.bytes)) != std::string::npos;
       account.bytes = end + 1) {
    account.rho += rho_of(std::string_view(text).substr(account.bytes, end - account.bytes), path);
  }
  return account;
}

Account account_of(const LockedFile& file, const PrivacyLimit& limit, const std::filesystem::path& path) {
  file.require_owner_only();
  return account_in(file.text(), limit, path);
}

}  // namespace

PrivacyBudget::PrivacyBudget(std::filesystem::path path, PrivacyLimit limit)
    : path_(std::move(path)), limit_(limit) {
  zcdp_delta(limit_.epsilon, 1);  // throw for what is none
  zcdp_epsilon(limit_.delta, 1);
  const LockedFile file(path_);
  const std::string first = first_line(limit_);
  const std::string text = file.text();
  if (text.size() < first.size() && first.starts_with(text)) {  // new, or a crash while it was
    file.write_from(0, first);
    file.sync_folder();
  }
  account_of(file, limit_, path_);
}

void PrivacyBudget::charge(double rho, std::string_view what) {
  if (what.find('\n') != std::string_view::npos) {
    throw Error(ErrorCategory::InvalidArgument, "what a privacy budget is charged for must be one line");
  }
  const LockedFile file(path_);
  const Account account = account_of(file, limit_, path_);
  const double epsilon = zcdp_epsilon(limit_.delta, account.rho + rho);
  if (epsilon > limit_.epsilon) {
    fail(ErrorCategory::InvalidArgument,
         "the privacy budget {} is used up: with this run its data would have epsilon {:.4g}, and the limit "
         "is "
         "{:.4g} (delta {:.1e}; {:.4g} spent so far); ask for a smaller epsilon, or do without this run",
         path_.string(), epsilon, limit_.epsilon, limit_.delta, zcdp_epsilon(limit_.delta, account.rho));
  }
  file.write_from(account.bytes, fmt::format("{} {}\n", rho, what));
}

double PrivacyBudget::spent_rho() const { return account_of(LockedFile(path_), limit_, path_).rho; }

double PrivacyBudget::spent_epsilon() const { return zcdp_epsilon(limit_.delta, spent_rho()); }

}  // namespace choir
