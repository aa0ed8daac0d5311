#include "choir/run/privacy_budget.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
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

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

// An open file, locked until the end.
class LockedFile {
 public:
  // Nothing if there is no such file.
  static std::optional<LockedFile> existing(const std::filesystem::path& path) {
    const int file = open_file(path, 0);
    if (file < 0 && errno == ENOENT) return std::nullopt;
    return LockedFile(path, file);
  }
  static LockedFile existing_or_new(const std::filesystem::path& path) {
    return LockedFile(path, open_file(path, O_CREAT));
  }

  LockedFile(LockedFile&& other) noexcept : path_(other.path_), file_(std::exchange(other.file_, -1)) {}
  LockedFile& operator=(LockedFile&&) = delete;
  ~LockedFile() {
    if (file_ >= 0) close(file_);
  }

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
    const int folder = open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) refuse_system(path_, "synced");
    const bool synced = fsync(folder) == 0;
    close(folder);
    if (!synced) refuse_system(path_, "synced");
  }

 private:
  static int open_file(const std::filesystem::path& path, int more) {
    return open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | more, 0600);
  }

  LockedFile(const std::filesystem::path& path, int file) : path_(path), file_(file) {
    if (file_ < 0) refuse_system(path_, "opened");
    while (flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int reason = errno;
      close(file_);
      errno = reason;
      refuse_system(path_, "locked");
    }
  }

  const std::filesystem::path& path_;
  int file_;
};

constexpr std::string_view begin_of_file = "choir privacy budget 1: epsilon ";
constexpr std::string_view before_delta = ", delta ";

std::string first_line(const PrivacyLimit& limit) {
  return fmt::format("{}{}{}{}\n", begin_of_file, limit.epsilon, before_delta, limit.delta);
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<PrivacyLimit> limit_in(std::string_view line) {
  const std::size_t comma = line.find(before_delta);
  if (!line.starts_with(begin_of_file) || comma == std::string_view::npos) return std::nullopt;
  const auto epsilon = number_in(line.substr(begin_of_file.size(), comma - begin_of_file.size()));
  const auto delta = number_in(line.substr(comma + before_delta.size()));
  if (!epsilon || !delta || !(*epsilon >= 0) || !(*delta > 0 && *delta < 1)) return std::nullopt;
  return PrivacyLimit{.epsilon = *epsilon, .delta = *delta};
}

// "0.125 3f2a9c consensus-kpca, epsilon 1"
struct Charge {
  double rho = 0;
  std::string_view run = {};
};

Charge charge_in(std::string_view line, const std::filesystem::path& path) {
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second != std::string_view::npos) {
    const auto rho = number_in(line.substr(0, first));
    if (rho && *rho >= 0) return {.rho = *rho, .run = line.substr(first + 1, second - first - 1)};
  }
  fail(ErrorCategory::BadData, "{} has a line that is no charge: '{}'; nobody but choir may change this file",
       path.string(), line);
}

struct Contents {
  PrivacyAccount account = {};
  std::set<std::string, std::less<>> runs = {};
  std::size_t bytes = 0;  // of whole lines; 0: the file is new, or something crashed while it was
};

// A last line without its end was being written when something crashed: it was not yet charged, and nothing
// had left.
Contents contents_of(const LockedFile& file, const std::filesystem::path& path) {
  file.require_owner_only();
  const std::string text = file.text();
  const std::size_t end_of_first = text.find('\n');
  if (end_of_first == std::string::npos &&
      std::string_view(begin_of_file).starts_with(std::string_view(text).substr(0, begin_of_file.size()))) {
    return {};
  }
  const auto limit = limit_in(std::string_view(text).substr(0, end_of_first));
  if (!limit) fail(ErrorCategory::BadData, "{} is not a privacy budget; name the right file", path.string());
  Contents contents{.account = {.limit = *limit}, .bytes = end_of_first + 1};
  for (std::size_t end = 0; (end = text.find('\n', contents.bytes)) != std::string::npos;
       contents.bytes = end + 1) {
    const Charge charge =
        charge_in(std::string_view(text).substr(contents.bytes, end - contents.bytes), path);
    contents.account.rho += charge.rho;
    contents.runs.emplace(charge.run);
  }
  return contents;
}

Contents contents_of(const std::optional<LockedFile>& file, const std::filesystem::path& path) {
  return file ? contents_of(*file, path) : Contents();
}

void require_limit(const PrivacyLimit& limit) {
  zcdp_delta(limit.epsilon, 1);  // throw for what is none
  zcdp_epsilon(limit.delta, 1);
}

// Of what the file says and what was asked for.
PrivacyLimit limit_of(const Contents& contents, const std::optional<PrivacyLimit>& asked,
                      const std::filesystem::path& path) {
  if (asked) require_limit(*asked);
  if (contents.bytes == 0) {
    if (asked) return *asked;
    fail(ErrorCategory::InvalidArgument,
         "there is no privacy budget {} yet; say with --privacy-limit EPSILON what all runs over these data "
         "together may spend, or name the right file",
         path.string());
  }
  const PrivacyLimit& limit = contents.account.limit;
  if (!asked || *asked == limit) return limit;
  fail(ErrorCategory::BadData,
       "{} is a privacy budget of epsilon {} with delta {}, not of epsilon {} with delta {}; the limit of a "
       "budget is not changed, so leave out --privacy-limit, or name the right file",
       path.string(), limit.epsilon, limit.delta, asked->epsilon, asked->delta);
}

void require_room_in(const PrivacyAccount& account, double rho, const std::filesystem::path& path) {
  zcdp_delta(1, rho);  // throws for what is none: nothing is given back
  const PrivacyLimit& limit = account.limit;
  const double epsilon = zcdp_epsilon(limit.delta, account.rho + rho);
  if (epsilon <= limit.epsilon) return;
  const double left = account.largest_epsilon_left(limit.delta);
  fail(ErrorCategory::InvalidArgument,
       "the privacy budget {} has too little left: with this run its data would have epsilon {:.4g}, and the "
       "limit is {:.4g} (delta {}; {:.4g} spent so far); {}",
       path.string(), epsilon, limit.epsilon, limit.delta, account.epsilon(),
       left >= 0.001 ? fmt::format("ask for --privacy {:.3f} or less, or do without this run",
                                   std::floor(1000 * left) / 1000)
                     : "nothing is left, so do without this run");
}

}  // namespace

double PrivacyAccount::epsilon() const { return zcdp_epsilon(limit.delta, rho); }

double PrivacyAccount::largest_epsilon_left(double delta) const {
  const double left = largest_rho(limit.epsilon, limit.delta) - rho;
  return left > 0 ? zcdp_epsilon(delta, left) : 0;
}

PrivacyBudget::PrivacyBudget(std::filesystem::path path, std::optional<PrivacyLimit> limit)
    : path_(std::move(path)) {
  const Contents contents = contents_of(LockedFile::existing(path_), path_);
  limit_ = limit_of(contents, limit, path_);
  if (!std::filesystem::is_directory(folder_of(path_))) {
    fail(ErrorCategory::Io, "{}: the privacy budget cannot be written: there is no folder {}", path_.string(),
         folder_of(path_).string());
  }
}

PrivacyAccount PrivacyBudget::account() const {
  const Contents contents = contents_of(LockedFile::existing(path_), path_);
  return {.limit = limit_of(contents, limit_, path_), .rho = contents.account.rho};
}

void PrivacyBudget::require_room(double rho) const { require_room_in(account(), rho, path_); }

void PrivacyBudget::charge(double rho, std::string_view run, std::string_view what) {
  if (run.empty() || run.find_first_of(" \n") != std::string_view::npos ||
      what.find('\n') != std::string_view::npos) {
    throw Error(ErrorCategory::InvalidArgument,
                "a privacy budget is charged for a run with a name of one word, and words of one line");
  }
  const LockedFile file = LockedFile::existing_or_new(path_);
  const Contents contents = contents_of(file, path_);
  if (contents.runs.contains(run)) return;
  const PrivacyLimit limit = limit_of(contents, limit_, path_);
  require_room_in({.limit = limit, .rho = contents.account.rho}, rho, path_);
  const std::string beginning = contents.bytes == 0 ? first_line(limit) : std::string();
  file.write_from(contents.bytes, fmt::format("{}{} {} {}\n", beginning, rho, run, what));
  if (!beginning.empty()) file.sync_folder();
}

}  // namespace choir
