// How long parties take to find the keys that all of them have, and what they send.
//
//   build-bench/bench/private_intersection [KEYS [PARTIES [THREADS]]]      (100,000, 2, 2)
//
// All parties run here, so this is the work of all of them on these threads. Nine tenths of each party's keys
// are everybody's.
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "choir/base/stopwatch.h"
#include "choir/graph/topology.h"
#include "choir/learn/alignment/alignment.h"
#include "choir/runtime/local/local_engine.h"

namespace {

using namespace choir;
using Keys = std::vector<std::string>;

Keys keys_of(Index party, Index count) {
  Keys keys;
  const Index own = count / 10;
  for (Index n = 0; n < own; ++n) keys.push_back(fmt::format("person {} of party {}", n, party));
  for (Index n = own; n < count; ++n) keys.push_back(fmt::format("person {}", n));
  return keys;
}

}  // namespace

int main(int count, char** words) {
  const Index keys = count > 1 ? std::atoll(words[1]) : 100'000;
  const Index parties = count > 2 ? std::atoll(words[2]) : 2;
  const int threads = count > 3 ? std::atoi(words[3]) : 2;
  std::vector<Keys> all;
  for (Index party = 0; party < parties; ++party) all.push_back(keys_of(party, keys));
  LocalEngine engine(LocalOptions{.threads = threads});
  const Contract contract{.method = "private intersection", .kinds = {Kind::control, Kind::identifiers}};
  const Stopwatch watch;
  const auto outcome = run_nodes<std::vector<Index>>(
      engine, make_topology("star", parties, 0), contract, {.threads = threads},
      [&](Node& node) { return common_rows(node, all[static_cast<std::size_t>(node.id())], keys); });
  const double seconds = watch.seconds();
  const Traffic sent = outcome.report.ledger.total(Kind::identifiers);
  fmt::print("{} parties with {} keys each, {} threads: {} common, {:.1f} s, {} messages, {} bytes\n",
             parties, keys, threads, outcome.results[0]->size(), seconds, sent.messages, sent.bytes);
  return 0;
}
