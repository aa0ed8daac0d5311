#include "choir/cli/run_report.h"

#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/cli/network_facts.h"

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

std::map<std::string, KindCount> ledger_by_kind(const Ledger& ledger) {
  std::map<std::string, KindCount> by_kind;
  for (const Kind kind : ledger.kinds().list()) {
    const Traffic traffic = ledger.total(kind);
    by_kind[std::string(to_string(kind))] = {.messages = traffic.messages, .bytes = traffic.bytes};
  }
  return by_kind;
}

Json losses_json(const std::vector<PeerLoss>& losses) {
  Json list = Json::array();
  for (const PeerLoss& loss : losses) {
    list.push_back(
        {{"node", loss.node}, {"peer", loss.peer}, {"round", loss.round}, {"reason", loss.reason}});
  }
  return list;
}

std::string node_words(const std::vector<NodeId>& nodes) {
  return fmt::format("node{} {}", nodes.size() == 1 ? "" : "s", fmt::join(nodes, ", "));
}

// One sentence however many there are; lost_peers lists them all.
std::string losses_note(const std::vector<PeerLoss>& losses) {
  const PeerLoss& first = losses.front();
  const std::string more =
      losses.size() == 1 ? "" : fmt::format("; {} more under lost_peers in result.json", losses.size() - 1);
  return fmt::format("node {} went on without node {}, which {}{}", first.node, first.peer, first.reason,
                     more);
}

}  // namespace

void describe_run(const RunReport& report, const Graph& graph, std::string_view engine, RunResult& result) {
  describe_run(report, engine, result);
  result.extra["network"] = network_facts(graph, report.ledger);
  result.extra["sent_by_kind"] = sent_by_kind(report.ledger);
}

void describe_run(const RunReport& report, std::string_view engine, RunResult& result) {
  result.engine = engine;
  result.ledger = ledger_by_kind(report.ledger);
  result.extra["lost_peers"] = losses_json(report.losses);
  result.extra["crashed"] = report.crashed;
  if (!report.losses.empty()) result.notes.push_back(losses_note(report.losses));
  if (!report.crashed.empty()) {
    result.notes.push_back(
        fmt::format("{} crashed and left no model; means are over the others", node_words(report.crashed)));
  }
  if (engine == "sim") result.virtual_seconds = std::chrono::duration<double>(report.elapsed).count();
}

void require_no_crash(const RunReport& report, LostPeers policy) {
  if (report.crashed.empty() || policy == LostPeers::proceed) return;
  fail(ErrorCategory::PeerLost, "{} crashed; --lost-peers continue keeps the answers of the others",
       node_words(report.crashed));
}

}  // namespace choir::cli
