#include "choir/runtime/ledger.h"

namespace choir {

Ledger::Ledger(const Graph& graph, KindSet kinds) : kinds_(kinds) {
  for (const Kind kind : kinds.list()) {
    column_[static_cast<std::size_t>(kind)] = static_cast<std::uint8_t>(columns_++);
  }
  const auto nodes = static_cast<NodeId>(graph.nodes());
  offsets_.reserve(static_cast<std::size_t>(nodes) + 1);
  for (NodeId node = 0; node <= nodes; ++node) offsets_.push_back(graph.offset(node));
  entries_.resize(static_cast<std::size_t>(offsets_.back()) * columns_);
}

Traffic Ledger::link(NodeId from, Index position, Kind kind) const {
  return kinds_.has(kind) ? entries_[entry_of(from, position, kind)] : Traffic{};
}

Traffic Ledger::sent_by(NodeId node, Kind kind) const {
  const auto j = static_cast<std::size_t>(node);
  Traffic sum;
  for (Index position = 0; position < offsets_[j + 1] - offsets_[j]; ++position) {
    sum += link(node, position, kind);
  }
  return sum;
}

Traffic Ledger::sent_by(NodeId node) const {
  Traffic sum;
  for (const Kind kind : kinds_.list()) sum += sent_by(node, kind);
  return sum;
}

Traffic Ledger::total(Kind kind) const {
  Traffic sum;
  for (NodeId node = 0; node < nodes(); ++node) sum += sent_by(node, kind);
  return sum;
}

Traffic Ledger::total() const {
  Traffic sum;
  for (const Traffic& entry : entries_) sum += entry;
  return sum;
}

}  // namespace choir
