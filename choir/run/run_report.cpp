#include "choir/run/run_report.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir {
namespace {

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

Fault fault_of(const NodeEvent& event, Duration elapsed) {
  Fault fault{.at = seconds(event.at), .node = event.node};
  switch (event.what) {
    case NodeEvent::What::crashed:
      fault.what = "crashed";
      fault.words = fmt::format("Node {} crashed{} and left no model.", event.node,
                                event.round > 0 ? fmt::format(" in round {}", event.round) : "");
      break;
    case NodeEvent::What::joined:
      fault.what = "joined late";
      fault.words = fmt::format("Node {} joined late.", event.node);
      break;
    case NodeEvent::What::cut_off:
      fault.what = "cut off";
      fault.until = seconds(event.until);
      fault.words = fmt::format(
          "Node {} was cut off by a partition of the network until {}.", event.node,
          event.until.time_since_epoch() == elapsed ? "the end" : fmt::format("{:.4g} s", *fault.until));
      break;
  }
  return fault;
}

// One fault however many neighbours a node was given up by, for the same reason.
Fault fault_of(const std::vector<const PeerLoss*>& losses) {
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
  return {.at = seconds(first.at),
          .node = first.peer,
          .what = "given up",
          .words = fmt::format("{} went on without node {}, which {} ({}).", who, first.peer, first.reason,
                               rounds)};
}

std::vector<Fault> faults_of(const RunReport& report) {
  std::vector<Fault> faults;
  for (const NodeEvent& event : report.node_events) faults.push_back(fault_of(event, report.elapsed));
  std::map<std::pair<NodeId, std::string>, std::vector<const PeerLoss*>> given_up;
  for (const PeerLoss& loss : report.losses) given_up[{loss.peer, loss.reason}].push_back(&loss);
  for (const auto& [peer, losses] : given_up) faults.push_back(fault_of(losses));
  std::ranges::stable_sort(faults, {}, &Fault::at);
  return faults;
}

void describe_traffic(const Ledger& ledger, Result& result) {
  for (const Kind kind : ledger.kinds().list()) {
    result.ledger[kind] = ledger.total(kind);
    if (result.ledger[kind].messages == 0) continue;
    std::vector<std::uint64_t>& bytes = result.sent_by_kind[kind];
    for (NodeId node = 0; node < ledger.nodes(); ++node) bytes.push_back(ledger.sent_by(node, kind).bytes);
  }
}

}  // namespace

void describe_report(const RunReport& report, const Graph& graph, std::string_view engine, Result& result) {
  result.has_network = true;
  describe_traffic(report.ledger, result);
  result.network = draw_network(graph, report.ledger);
  result.lost_peers = report.losses;
  result.crashed = report.crashed;
  result.faults = faults_of(report);
  result.message_faults = report.message_faults;
  if (!report.losses.empty()) result.notes.push_back(losses_note(report.losses));
  if (!report.crashed.empty()) {
    result.notes.push_back(
        fmt::format("{} crashed and left no model; means are over the others", node_words(report.crashed)));
  }
  if (engine == "sim") result.virtual_seconds = std::chrono::duration<double>(report.elapsed).count();
}

void add_traffic(const Ledger& ledger, Result& result) {
  for (const Kind kind : ledger.kinds().list()) {
    if (ledger.total(kind).messages == 0) continue;
    result.ledger[kind] += ledger.total(kind);
    std::vector<std::uint64_t>& bytes = result.sent_by_kind[kind];
    bytes.resize(static_cast<std::size_t>(ledger.nodes()), 0);
    for (NodeId node = 0; node < ledger.nodes(); ++node)
      bytes[static_cast<std::size_t>(node)] += ledger.sent_by(node, kind).bytes;
  }
}

void require_no_crash(const RunReport& report, LostPeers policy) {
  if (report.crashed.empty() || policy == LostPeers::proceed) return;
  fail(ErrorCategory::PeerLost, "{} crashed; --lost-peers continue keeps the answers of the others",
       node_words(report.crashed));
}

}  // namespace choir
