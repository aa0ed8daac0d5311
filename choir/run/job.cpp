#include "choir/run/job.h"

namespace choir {

std::vector<GivenOption> Job::given() const {
  std::vector<GivenOption> all;
  if (!data.source.empty()) all.push_back({.name = "data", .values = {data.source}});
  for (const auto& [name, value] : options) all.push_back({.name = name, .values = value.texts()});
  return all;
}

}  // namespace choir
