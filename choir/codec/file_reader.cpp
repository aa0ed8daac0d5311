#include "choir/codec/file_reader.h"

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr std::chrono::milliseconds look_every(50);

std::string reason() { return std::system_category().message(errno); }

}  // namespace

// A named pipe that nobody writes to yet must not be waited for in open(), where no stop is seen.
FileReader::FileReader(const std::filesystem::path& path, std::stop_token stop, AtEnd at_end)
    : FileReader(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (stop.stop_possible() ? O_NONBLOCK : 0)),
                 path.string(), stop) {
  // Only a file can grow behind its end; the end of a pipe is that of its writers.
  if (at_end == AtEnd::stop || !size_) return;
  at_end_ = AtEnd::wait;
  size_.reset();
}

FileReader FileReader::standard_input(std::stop_token stop) {
  FileReader input(::fcntl(0, F_DUPFD_CLOEXEC, 0), "standard input", std::move(stop));
  input.size_.reset();
  return input;
}

FileReader::FileReader(int descriptor, std::string name, std::stop_token stop)
    : descriptor_(descriptor), name_(std::move(name)), stop_(std::move(stop)) {
  if (descriptor_ < 0) fail(ErrorCategory::Io, "cannot open {}: {}", name_, reason());
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (known && S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
  if (known && !S_ISDIR(status.st_mode)) return;
  const std::string why = known ? "it is a folder" : reason();
  ::close(descriptor_);
  fail(ErrorCategory::Io, "cannot read {}: {}", name_, why);
}

FileReader::~FileReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileReader::FileReader(FileReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      stop_(std::move(other.stop_)),
      size_(other.size_),
      was_stopped_(other.was_stopped_),
      at_end_(other.at_end_) {}

// Until there is something to read, or the end; false: a stop was asked for.
bool FileReader::wait() {
  while (!stop_.stop_requested()) {
    if (!stop_.stop_possible()) return true;
    pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(look_every.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) fail(ErrorCategory::Io, "cannot wait for {}: {}", name_, reason());
  }
  was_stopped_ = true;
  return false;
}

std::size_t FileReader::read_some(std::span<std::byte> out) {
  while (wait()) {
    const ssize_t got = ::read(descriptor_, out.data(), out.size());
    if (got == 0 && at_end_ == AtEnd::wait) {
      std::this_thread::sleep_for(look_every);
      continue;
    }
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN) fail(ErrorCategory::Io, "cannot read {}: {}", name_, reason());
  }
  return 0;
}

void FileReader::seek(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0)
    fail(ErrorCategory::Io, "cannot seek to byte {} of {}: {}", offset, name_, reason());
}

}  // namespace choir
