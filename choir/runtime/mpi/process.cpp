#include "choir/runtime/mpi/process.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

namespace choir {
namespace {

struct ProcessState {
  char state = '?';
  std::uint64_t started = 0;
};

// Fields 3 and 22 of proc(5). The second is a name in parentheses and may hold anything.
std::optional<ProcessState> read_state(std::int64_t id) {
  std::ifstream file(fmt::format("/proc/{}/stat", id));
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  ProcessState found;
  fields >> found.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> found.started;
  if (!fields) return std::nullopt;
  return found;
}

template <std::size_t size>
void copy(std::string_view text, std::array<char, size>& to) {
  std::copy_n(text.data(), std::min(text.size(), size - 1), to.data());
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

ProcessIdentity this_process() {
  ProcessIdentity identity;
  identity.id = getpid();
  if (const auto state = read_state(identity.id)) identity.started = state->started;
  gethostname(identity.host.data(), identity.host.size() - 1);
  const std::string boot = first_line("/proc/sys/kernel/random/boot_id");
  copy(boot.empty() ? identity.host_name() : boot, identity.machine);
  char link[48] = {};
  if (readlink("/proc/self/ns/pid", link, sizeof link - 1) > 0) copy(link, identity.namespace_);
  return identity;
}

bool same_machine(const ProcessIdentity& a, const ProcessIdentity& b) { return a.machine == b.machine; }

bool can_watch(const ProcessIdentity& mine, const ProcessIdentity& other) {
  return same_machine(mine, other) && mine.namespace_ == other.namespace_;
}

bool has_died(const ProcessIdentity& process) {
  if (const auto now = read_state(process.id)) {
    return now->state == 'Z' || now->state == 'X' ||
           (process.started != 0 && now->started != process.started);
  }
  return kill(static_cast<pid_t>(process.id), 0) == -1 && errno == ESRCH;
}

}  // namespace choir
