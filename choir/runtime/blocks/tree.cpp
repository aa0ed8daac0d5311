#include "choir/runtime/blocks/tree.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "choir/base/error.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

// What the first integer of a message says.
constexpr std::int64_t offer = 0;               // my distance is the second integer
constexpr std::int64_t offer_acknowledged = 1;  // of an offer, and of all that it led to
constexpr std::int64_t finished = 2;            // distances are final; my parent is the second integer

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

// A node's part in the search. Offers and their acknowledgements form a diffusing computation: the first
// offer to a node at rest is acknowledged only once all offers that followed from it are, so when the root
// has its acknowledgements no offer is on its way anywhere.
class TreeSearch {
 public:
  TreeSearch(Node& node, NodeId root, Channel channel);

  void begin();
  void handle(const Received& received);
  bool over() const { return finished_count_ == neighbors_.size() && told_finished_; }
  TreePlace place() const;
  // A neighbour that something is still expected of.
  NodeId waits_for() const;

 private:
  struct Neighbor {
    std::int64_t distance = unknown;  // as it last said
    Index unacknowledged = 0;         // offers
    bool finished = false;
    bool is_child = false;
  };

  void send(std::size_t position, std::int64_t what, std::int64_t value);
  void send_offers();
  void handle_offer(std::size_t position, std::int64_t distance);
  void rest_if_acknowledged();
  void tell_finished();
  NodeId parent() const;

  Node& node_;
  const NodeId root_;
  const Channel channel_;
  const std::span<const NodeId> neighbors_;
  std::vector<Neighbor> known_;
  std::int64_t distance_ = unknown;
  Index unacknowledged_ = 0;
  Index engaged_by_ = -1;  // whose offer is acknowledged last; -1: at rest, or the root
  std::size_t finished_count_ = 0;
  bool told_finished_ = false;
};

TreeSearch::TreeSearch(Node& node, NodeId root, Channel channel)
    : node_(node), root_(root), channel_(channel), neighbors_(node.neighbors()), known_(neighbors_.size()) {}

void TreeSearch::send(std::size_t position, std::int64_t what, std::int64_t value) {
  Message message(Kind::control);
  message.integer(what).integer(value).on(channel_, 0);
  node_.send(neighbors_[position], std::move(message));
}

void TreeSearch::begin() {
  if (node_.id() != root_) return;
  distance_ = 0;
  send_offers();
  rest_if_acknowledged();
}

void TreeSearch::send_offers() {
  for (std::size_t position = 0; position < neighbors_.size(); ++position) {
    send(position, offer, distance_);
    ++known_[position].unacknowledged;
    ++unacknowledged_;
  }
}

void TreeSearch::handle(const Received& received) {
  const auto position = static_cast<std::size_t>(received.position);
  const std::int64_t what = received.message.integer(0);
  if (what == offer) {
    handle_offer(position, received.message.integer(1));
  } else if (what == offer_acknowledged) {
    --known_[position].unacknowledged;
    --unacknowledged_;
    rest_if_acknowledged();
  } else if (what == finished) {
    if (!known_[position].finished) ++finished_count_;
    known_[position].finished = true;
    known_[position].is_child = received.message.integer(1) == node_.id();
    tell_finished();
  } else {
    fail(ErrorCategory::BadData, "node {} sent node {} an unknown word of the tree search: {}", received.from,
         node_.id(), what);
  }
}

void TreeSearch::handle_offer(std::size_t position, std::int64_t distance) {
  // On links that keep the order a neighbour's offers only improve.
  known_[position].distance = std::min(known_[position].distance, distance);
  const bool at_rest = engaged_by_ < 0 && node_.id() != root_;
  if (at_rest) engaged_by_ = static_cast<Index>(position);
  if (distance + 1 < distance_) {
    distance_ = distance + 1;
    send_offers();
  }
  if (!at_rest) send(position, offer_acknowledged, 0);
  rest_if_acknowledged();
}

void TreeSearch::rest_if_acknowledged() {
  if (unacknowledged_ > 0) return;
  if (node_.id() == root_) {
    tell_finished();
  } else if (engaged_by_ >= 0) {
    send(static_cast<std::size_t>(engaged_by_), offer_acknowledged, 0);
    engaged_by_ = -1;
  }
}

void TreeSearch::tell_finished() {
  if (std::exchange(told_finished_, true)) return;
  for (std::size_t position = 0; position < neighbors_.size(); ++position) {
    send(position, finished, parent());
  }
}

NodeId TreeSearch::parent() const {
  for (std::size_t position = 0; position < neighbors_.size(); ++position) {
    if (known_[position].distance == distance_ - 1) return neighbors_[position];
  }
  return node_.id();
}

TreePlace TreeSearch::place() const {
  TreePlace place;
  place.root = root_;
  place.parent = parent();
  place.depth = static_cast<std::int32_t>(distance_);
  for (std::size_t position = 0; position < neighbors_.size(); ++position) {
    if (known_[position].is_child) place.children.push_back(neighbors_[position]);
  }
  return place;
}

NodeId TreeSearch::waits_for() const {
  for (std::size_t position = 0; position < neighbors_.size(); ++position) {
    if (known_[position].unacknowledged > 0) return neighbors_[position];
  }
  for (std::size_t position = 0; position < neighbors_.size(); ++position) {
    if (!known_[position].finished) return neighbors_[position];
  }
  return root_;
}

}  // namespace

Task<TreePlace> build_tree(Node& node, NodeId root) {
  if (root < 0 || root >= node.network_size()) {
    fail(ErrorCategory::InvalidArgument, "the tree cannot start at node {}; ids run from 0 to {}", root,
         node.network_size() - 1);
  }
  const Channel channel = node.open_reliable_channel();
  TreeSearch search(node, root, channel);
  search.begin();
  while (!search.over()) {
    const std::optional<Received> mail = co_await node.receive(channel, node.deadline());
    if (!mail) {
      fail(ErrorCategory::PeerLost,
           "node {} waits for node {} in the search for the tree of node {}, but hears nothing", node.id(),
           search.waits_for(), root);
    }
    search.handle(*mail);
  }
  TreePlace place = search.place();
  const Matrix depth = Matrix::Constant(1, 1, place.depth);
  const Matrix deepest = co_await tree_max(node, place, depth, Kind::control);
  place.height = static_cast<std::int32_t>(deepest(0, 0));
  co_return place;
}

}  // namespace choir
