#include "choir/cli/run_report.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

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

double seconds(Time at) { return std::chrono::duration<double>(at.time_since_epoch()).count(); }

Json fault_at(Time at, NodeId node, std::string_view what, const std::string& words) {
  return {{"at", seconds(at)}, {"unit", "s"}, {"node", node}, {"what", what}, {"words", words}};
}

Json fault_of(const NodeEvent& event, Duration elapsed) {
  switch (event.what) {
    case NodeEvent::What::crashed: {
      const std::string round = event.round > 0 ? fmt::format(" in round {}", event.round) : "";
      return fault_at(event.at, event.node, "crashed",
                      fmt::format("Node {} crashed{} and left no model.", event.node, round));
    }
    case NodeEvent::What::joined:
      return fault_at(event.at, event.node, "joined late", fmt::format("Node {} joined late.", event.node));
    case NodeEvent::What::cut_off: {
      const bool to_the_end = event.until.time_since_epoch() == elapsed;
      Json fault =
          fault_at(event.at, event.node, "cut off",
                   fmt::format("Node {} was cut off by a partition of the network until {}.", event.node,
                               to_the_end ? "the end" : fmt::format("{:.4g} s", seconds(event.until))));
      fault["until"] = seconds(event.until);
      return fault;
    }
  }
  return nullptr;
}

// One fault however many neighbours a node was given up by, for the same reason.
Json fault_of(const std::vector<const PeerLoss*>& losses) {
  constexpr std::size_t most_named = 4;
  const PeerLoss& first = **std::ranges::min_element(losses, {}, &PeerLoss::at);
  std::vector<NodeId> named;
  for (std::size_t i = 0; i < std::min(losses.size(), most_named); ++i) named.push_back(losses[i]->node);
  const std::string others =
      losses.size() > most_named ? fmt::format(" and {} more", losses.size() - most_named) : "";
  const auto [low, high] = std::ranges::minmax(losses, {}, &PeerLoss::round);
  const std::string rounds = low->round == high->round
                                 ? fmt::format("round {}", low->round)
                                 : fmt::format("rounds {} to {}", low->round, high->round);
  std::string who = node_words(named) + others;
  who.front() = 'N';
  return fault_at(
      first.at, first.peer, "given up",
      fmt::format("{} went on without node {}, which {} ({}).", who, first.peer, first.reason, rounds));
}

Json faults_json(const RunReport& report) {
  std::vector<Json> faults;
  for (const NodeEvent& event : report.node_events) faults.push_back(fault_of(event, report.elapsed));
  std::map<std::pair<NodeId, std::string>, std::vector<const PeerLoss*>> given_up;
  for (const PeerLoss& loss : report.losses) given_up[{loss.peer, loss.reason}].push_back(&loss);
  for (const auto& [peer, losses] : given_up) faults.push_back(fault_of(losses));
  std::ranges::stable_sort(faults, {}, [](const Json& fault) { return fault.at("at").get<double>(); });
  return faults;
}

// {"lost": [messages of node 0, ...], ...}; what never happened is left out.
Json message_faults_json(const std::vector<MessageFaults>& by_node) {
  Json json = Json::object();
  const auto add = [&](const char* name, std::uint64_t MessageFaults::*count) {
    if (std::ranges::all_of(by_node, [&](const MessageFaults& faults) { return faults.*count == 0; })) return;
    for (const MessageFaults& faults : by_node) json[name].push_back(faults.*count);
  };
  add("lost", &MessageFaults::lost);
  add("sent_again", &MessageFaults::sent_again);
  add("repeated", &MessageFaults::repeated);
  add("discarded", &MessageFaults::discarded);
  return json;
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
  result.extra["faults"] = faults_json(report);
  if (!report.message_faults.empty()) {
    result.extra["message_faults"] = message_faults_json(report.message_faults);
  }
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
