#include "choir/base/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace choir {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

// First number in a file of /sys; "max" and a missing file mean no limit.
std::uint64_t read_number(const char* path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : unknown;
}

std::uint64_t kernel_estimate() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kibibytes = 0;
  std::string unit;
  while (file >> key >> kibibytes >> unit) {
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  return unknown;
}

std::uint64_t control_group_left() {
  const std::uint64_t limit = read_number("/sys/fs/cgroup/memory.max");
  const std::uint64_t used = read_number("/sys/fs/cgroup/memory.current");
  if (limit == unknown || used == unknown) return unknown;
  return limit > used ? limit - used : 0;
}

}  // namespace

std::uint64_t available_memory() { return std::min(kernel_estimate(), control_group_left()); }

std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  file >> all >> resident;  // pages
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace choir
