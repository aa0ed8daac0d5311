#include "choir/run/same_options.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/crypto/sha256.h"
#include "choir/run/version.h"

namespace choir {
namespace {

// What all must share, in the order of the table.
using SharedOptions = std::vector<std::pair<std::string, std::string>>;

SharedOptions shared_options(const MethodInfo& info, const Settings& settings) {
  SharedOptions options = {{"version", version()}, {"method", info.name}};
  for (const OptionRow& row : info.options.rows()) {
    if (row.shared) options.emplace_back("--" + row.name, canonical_text(row, settings));
  }
  return options;
}

std::string hash_of(const SharedOptions& options) {
  std::string text;
  for (const auto& [name, value] : options)
    text += fmt::format("{}:{}={}:{};", name.size(), name, value.size(), value);
  return sha256(std::as_bytes(std::span(text)));
}

std::string shown(const std::string& value) { return value.empty() ? "nothing" : "'" + value + "'"; }

[[noreturn]] void name_difference(const std::vector<SharedOptions>& all) {
  for (std::size_t process = 1; process < all.size(); ++process) {
    for (std::size_t i = 0; i < std::min(all[0].size(), all[process].size()); ++i) {
      if (all[0][i] == all[process][i]) continue;
      fail(ErrorCategory::InvalidArgument,
           "{} is {} in process 0 but {} in process {}; all processes need the same", all[0][i].first,
           shown(all[0][i].second), shown(all[process][i].second), process);
    }
  }
  throw Error(ErrorCategory::InvalidArgument,
              "the processes were given different options; all processes need the same");
}

}  // namespace

void require_same_options(const MethodInfo& info, const Settings& settings, ProcessGroup& processes) {
  const SharedOptions mine = shared_options(info, settings);
  const std::vector<std::string> hashes = processes.tell_all(Kind::options, hash_of(mine));
  bool same = true;
  for (const std::string& hash : hashes) same = same && hash == hashes.front();
  if (same) return;
  const std::vector<SharedOptions> all = processes.tell_all(Kind::options, mine);
  processes.together([&] { name_difference(all); });
}

}  // namespace choir
