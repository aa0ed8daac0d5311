#include "choir/report/run_names.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace choir {
namespace {

namespace fs = std::filesystem;

fs::path clean(const fs::path& folder) {
  const fs::path full = fs::absolute(folder).lexically_normal();
  return full.has_filename() ? full : full.parent_path();  // "runs/digits/" is "runs/digits"
}

// How many parts of their paths all have in common; the last one of a path is its own.
std::ptrdiff_t common_parts(const std::vector<fs::path>& paths) {
  std::ptrdiff_t common = std::distance(paths.front().begin(), paths.front().end()) - 1;
  for (const fs::path& path : paths) {
    const auto [mine, theirs] =
        std::mismatch(path.begin(), std::prev(path.end()), paths.front().begin(), paths.front().end());
    common = std::min(common, std::distance(path.begin(), mine));
  }
  return common;
}

fs::path without(const fs::path& path, std::ptrdiff_t parts) {
  fs::path rest;
  for (auto part = std::next(path.begin(), parts); part != path.end(); ++part) rest /= *part;
  return rest;
}

}  // namespace

std::vector<std::string> run_names(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  if (folders.empty()) return names;
  std::vector<fs::path> paths;
  for (const fs::path& folder : folders) paths.push_back(clean(folder));
  const std::ptrdiff_t common = common_parts(paths);
  std::set<std::string> taken;
  for (const fs::path& path : paths) {
    const std::string own = without(path, common).string();
    std::string name = own;
    for (int again = 2; !taken.insert(name).second; ++again) name = fmt::format("{} ({})", own, again);
    names.push_back(name);
  }
  return names;
}

}  // namespace choir
