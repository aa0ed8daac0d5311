#include "choir/codec/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "choir/base/error.h"
#include "choir/codec/file_reader.h"

namespace choir {
namespace {

std::string reason(int error) { return std::system_category().message(error); }

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return fd_; }
  // Some file systems report a full disk only here.
  int close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd);
  }

 private:
  int fd_;
};

std::vector<std::byte> read_up_to(const std::filesystem::path& path, std::size_t limit) {
  FileReader file(path);
  constexpr std::size_t chunk = std::size_t{1} << 20;
  std::vector<std::byte> bytes;
  // One byte more than the expected size, so that the end of the file is seen without growing.
  bytes.resize(std::min<std::size_t>(limit, file.size().value_or(0) + 1));
  std::size_t filled = 0;
  while (filled < limit) {
    if (filled == bytes.size()) bytes.resize(std::min(limit, filled + chunk));
    const std::size_t got = file.read(std::span(bytes).subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  bytes.resize(filled);
  return bytes;
}

// A new file beside its target; removed again unless it was renamed.
class TemporaryFile {
 public:
  TemporaryFile(const std::filesystem::path& target, Privacy privacy) : file_(create(target, privacy)) {}
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Each returns 0 or the system's error.
  int write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t put = ::write(file_.get(), bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return errno;
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return 0;
  }
  int finish() { return ::fsync(file_.get()) != 0 || file_.close() != 0 ? errno : 0; }
  int rename_to(const std::filesystem::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
    path_.clear();
    return 0;
  }

 private:
  int create(const std::filesystem::path& target, Privacy privacy) {
    const mode_t mode = privacy == Privacy::owner_only ? 0600 : 0666;  // less the user's umask
    for (int attempt = 0;; ++attempt) {
      path_ = fmt::format("{}.tmp-{}-{}", target.string(), ::getpid(), attempt);
      const int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (fd >= 0) return fd;
      if (errno == EEXIST && attempt < 1000) continue;
      fail(ErrorCategory::Io, "cannot write {}: {}", target.string(), reason(errno));
    }
  }

  std::string path_;  // empty once renamed
  FileDescriptor file_;
};

// Makes the rename itself durable. A file system that cannot sync folders has done what it can.
void sync_folder(const std::filesystem::path& target) {
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) (void)::fsync(fd.get());
}

}  // namespace

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  return read_up_to(path, std::numeric_limits<std::size_t>::max());
}

std::vector<std::byte> read_file_head(const std::filesystem::path& path, std::size_t count) {
  return read_up_to(path, count);
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileStamp{.device = static_cast<std::uint64_t>(status.st_dev),
                   .number = static_cast<std::uint64_t>(status.st_ino),
                   .bytes = static_cast<std::uint64_t>(status.st_size),
                   .seconds = status.st_mtim.tv_sec,
                   .nanoseconds = status.st_mtim.tv_nsec};
}

void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                           Privacy privacy) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    fail(ErrorCategory::Io, "cannot write {}: it exists and is not a regular file", path.string());

  TemporaryFile temporary(path, privacy);
  int error = temporary.write(bytes);
  if (error == 0) error = temporary.finish();
  if (error == 0) error = temporary.rename_to(path);
  if (error != 0) fail(ErrorCategory::Io, "cannot write {}: {}", path.string(), reason(error));
  sync_folder(path);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text, Privacy privacy) {
  write_file_atomically(path, std::as_bytes(std::span(text.data(), text.size())), privacy);
}

}  // namespace choir
