#include "choir/learn/features/agreed_seed.h"

#include "choir/runtime/blocks/tree_sum.h"

namespace choir {

Task<std::uint64_t> agreed_seed(Node& node) {
  Message mine(Kind::control);
  mine.integer(static_cast<std::int64_t>(node.rng(Purpose("random features"), 0).bits()));
  const Message agreed = co_await broadcast(node, node.tree(), mine);
  co_return static_cast<std::uint64_t>(agreed.integer(0));
}

}  // namespace choir
