#include "choir/run/parts/apply_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"
#include "choir/learn/parts/projection.h"
#include "choir/run/network.h"
#include "choir/run/parts/part_files.h"
#include "choir/run/run_report.h"
#include "choir/run/words.h"

namespace choir {
namespace {

// Which parts there are. They are in one place, as a run leaves them.
std::vector<Index> agreed_numbers(const std::string& pattern, ProcessGroup& processes) {
  const std::vector<Index> numbers = processes.together([&] { return find_parts(pattern); });
  const std::vector<std::vector<Index>> seen = processes.tell_all(Kind::facts, numbers);
  processes.together([&] {
    if (std::all_of(seen.begin(), seen.end(), [&](const auto& each) { return each == seen.front(); })) return;
    fail(ErrorCategory::Io,
         "the ranks do not see the same parts {}; the parts must be on a file system that all ranks share",
         pattern);
  });
  return numbers;
}

PartsSummary agreed_summary(const OwnParts& own, const std::vector<Index>& numbers, ProcessGroup& processes) {
  std::vector<PartFacts> all;
  for (std::vector<PartFacts>& facts : processes.tell_all(Kind::facts, facts_of(own)))
    std::move(facts.begin(), facts.end(), std::back_inserter(all));
  return processes.together([&] { return check_parts(all, numbers); });
}

Graph network_of(const ApplySettings& settings, Index nodes) {
  const bool automatic = settings.network.topology == "auto" && settings.agree == PartsAgree::gossip;
  return make_topology(automatic ? gossip_topology(nodes) : settings.topology_for(nodes), nodes,
                       settings.engine.random_state);
}

ProjectionOptions projection_of(const ApplySettings& settings) {
  if (settings.agree == PartsAgree::tree) return {};
  GossipOptions gossip;
  gossip.messages = settings.messages_per_node;
  return {.gossip = gossip};
}

void warn_of_missing(const std::vector<Index>& missing, std::vector<std::string>& warnings) {
  if (missing.empty()) return;
  warnings.push_back(fmt::format(
      "there is no part of node{} {}: the answer is the best that the coordinates of the others allow",
      missing.size() == 1 ? "" : "s", fmt::join(missing, ", ")));
}

// With --lost-peers continue.
void warn_of_lost(const RunReport& report, std::vector<std::string>& warnings) {
  std::vector<NodeId> lost = report.crashed;
  for (const PeerLoss& loss : report.losses) lost.push_back(loss.peer);
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  if (lost.empty()) return;
  warnings.push_back(fmt::format("lost on the way: node{} {}; the answer lacks their coordinates",
                                 lost.size() == 1 ? "" : "s", fmt::join(lost, ", ")));
}

std::string traffic_words(const RunReport& report, Index nodes) {
  std::map<Kind, Traffic> by_kind;
  for (const Kind kind : report.ledger.kinds().list()) by_kind[kind] = report.ledger.total(kind);
  return sent_words(by_kind, nodes, "node");
}

// The first node of all processes that has an answer.
std::size_t first_with_answer(const Outcome<PartedAnswer>& outcome, ProcessGroup& processes) {
  std::vector<Index> own;
  for (std::size_t node = 0; node < outcome.results.size(); ++node) {
    if (outcome.results[node]) own.push_back(static_cast<Index>(node));
  }
  std::vector<Index> all;
  for (const std::vector<Index>& some : processes.tell_all(Kind::facts, own))
    all.insert(all.end(), some.begin(), some.end());
  processes.together([&] {
    if (all.empty()) throw Error(ErrorCategory::PeerLost, "every node crashed; there is no answer to keep");
  });
  return static_cast<std::size_t>(*std::min_element(all.begin(), all.end()));
}

}  // namespace

constexpr auto parts_agree_names = words_in_order<PartsAgree::gossip>("tree", "gossip");
ChoiceNames<PartsAgree> choice_names(PartsAgree) { return parts_agree_names; }

void add_parts_rows(OptionTable& table) {
  add_engine_rows(table, parts_group);
  table.remove("threads");  // also of single models
  OptionGroup<ApplySettings> group(table, parts_group);
  group.add("agree", &ApplySettings::agree,
            "how the nodes add up: tree, or gossip, which needs no reliable links and ends with estimates");
  group
      .add("key", &ApplySettings::key,
           "who each sample is: a column of csv files, by name or number, or a file of integers "
           "(keys-{node}.npy); nodes whose samples differ, or differ in order, are refused before anything "
           "else is sent")
      .named("COLUMN|FILE");
  group.add("messages-per-node", &ApplySettings::messages_per_node, "messages per node, with --agree gossip")
      .at_least(0);
  add_network_rows(table);
  table.remove("yardsticks");
  table.at("topology")
      .says(
          "who talks to whom, see choir topology --help; auto: as for fit gossip-pca; with --agree tree "
          "ring:4, or "
          "complete for fewer than 5 nodes");
  add_sim_rows(table);
}

PartsAnswer apply_parts(const ApplySettings& settings, ProcessGroup& processes, const RunOptions& run) {
  const std::vector<Index> numbers = agreed_numbers(settings.model, processes);
  const auto nodes = static_cast<Index>(numbers.size());
  OwnParts own = processes.together([&] {
    return read_own_parts(
        {.model = settings.model, .data = settings.data.data, .use = settings.use, .key = settings.key},
        numbers, processes.engine().own_nodes(nodes));
  });
  const PartsSummary summary = agreed_summary(own, numbers, processes);
  const Graph graph = processes.together([&] { return network_of(settings, nodes); });
  Outcome<PartedAnswer> outcome = processes.together([&] {
    auto projected =
        project_coordinates(processes.engine(), graph, std::move(own.parts), std::move(own.samples),
                            projection_of(settings), run, std::move(own.orders));
    require_no_crash(projected.report, run.lost_peers);
    return projected;
  });
  PartsAnswer parts;
  parts.answer = std::move(outcome.results[first_with_answer(outcome, processes)]);
  warn_of_missing(summary.missing, parts.warnings);
  warn_of_lost(outcome.report, parts.warnings);
  parts.sent = traffic_words(outcome.report, nodes);
  return parts;
}

}  // namespace choir
