#include "choir/cli/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "choir/base/error.h"

extern char** environ;

namespace choir::cli {
namespace {

constexpr std::size_t kept_output = std::size_t{1} << 16;

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
      fail(ErrorCategory::Io, "cannot make a pipe: {}", std::strerror(errno));
    }
  }
  ~Pipe() {
    ::close(ends_[0]);
    close_write_end();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// The child's files and folder, and a process group of its own so that it can be ended with its children.
class SpawnSettings {
 public:
  SpawnSettings(const std::filesystem::path& folder, int output) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files_, output, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&files_, folder.c_str());
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

// A running program; ended and waited for if nobody did.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_;
};

pid_t spawn(const ProcessRequest& request, int output) {
  std::vector<char*> words = {const_cast<char*>(request.program.c_str())};
  for (const std::string& argument : request.arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const SpawnSettings settings(request.folder, output);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, request.program.c_str(), settings.files(), settings.attributes(),
                                   words.data(), environ);
  if (error != 0) {
    fail(ErrorCategory::Unavailable, "cannot run the program {}: {}", request.program, std::strerror(error));
  }
  return pid;
}

// Waits a little for output; false once the program has closed it.
bool read_some(int pipe, std::string& output) {
  pollfd ready{.fd = pipe, .events = POLLIN, .revents = 0};
  constexpr int milliseconds = 50;
  if (::poll(&ready, 1, milliseconds) <= 0) return true;
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  output.append(buffer.data(), static_cast<std::size_t>(count));
  if (output.size() > 2 * kept_output) output.erase(0, output.size() - kept_output);
  return count > 0;
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  Pipe pipe;
  Child child(spawn(request, pipe.write_end()));
  pipe.close_write_end();
  ProcessResult result;
  while (read_some(pipe.read_end(), result.output)) {
    request.watch.report(request.program, 0, 0);
    if (request.deadline.passed(steady_now())) {
      fail(ErrorCategory::Unavailable, "{} took too long and was ended; check the network connection",
           request.program);
    }
  }
  result.status = child.wait();
  return result;
}

}  // namespace choir::cli
