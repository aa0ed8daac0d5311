// Feeds every file of the given folders to a fuzz target once: the stored corpus as an ordinary test.
//
//   replay npy tests/fuzz/corpus/npy
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "tests/fuzz/replay.h"

namespace {

std::map<std::string, FuzzTarget>& targets() {
  static std::map<std::string, FuzzTarget> all;
  return all;
}

}  // namespace

Replay::Replay(const std::string& name, FuzzTarget target) { targets()[name] = target; }

int main(int argc, char** argv) {
  const auto target = targets().find(argc > 1 ? argv[1] : "");
  if (target == targets().end()) {
    std::fprintf(stderr, "usage: replay TARGET FOLDER...; there is no target of this name\n");
    return 1;
  }
  std::size_t count = 0;
  for (int i = 2; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      target->second(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++count;
    }
  }
  std::printf("replayed %zu inputs\n", count);
  return count > 0 ? 0 : 1;
}
