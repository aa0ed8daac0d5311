#include "choir/learn/consensus_kpca/start.h"

#include <optional>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/plausibility.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::consensus_kpca {
namespace {

// w_j = Phi_j K_j x for normal x: random, with the weights of K_j. Columns of unit length.
Matrix random_coordinates(const Node& node, const PseudoInverseBasis& basis, Index columns) {
  Rng rng = node.rng(Purpose("random start"), 0);
  Matrix b(basis.rank(), columns);
  for (Index d = 0; d < columns; ++d) {
    for (Index i = 0; i < b.rows(); ++i) b(i, d) = basis.L(i) * rng.normal();
  }
  return b.rows() == 0 ? b : b.colwise().normalized();
}

Index member_of(const Node& node, NodeId neighbor) { return node.position_of(neighbor) + 1; }

// What lets a child compute the coordinates of this node's directions in its own span: Phi_l'z_j, or, if
// there is no z_j yet, the coefficients of w_j over samples that the child has.
Matrix for_child(const Node& node, Init init, NodeId child, const ProjectionConsensus& state) {
  if (init != Init::gather) return state.basis().lift(state.b());
  const Index member = member_of(node, child);
  return state.y().middleRows(state.kernel().begin(member), state.kernel().size(member));
}

Matrix seen_by_child(const Node& node, Init init, const Matrix& sent, const ProjectionConsensus& state) {
  if (init == Init::gather) return state.basis().coords(sent);
  const Index parent = member_of(node, node.tree().parent);
  return state.basis().coords(state.kernel().own_rows_times(parent, sent));
}

}  // namespace

void begin(const Node& node, Init init, ProjectionConsensus& state) {
  const Index rank = state.basis().rank();
  switch (init) {
    case Init::gather:
      state.begin_with_coefficients(state.kernel().leading_directions(state.columns()));
      return;
    case Init::local:
      state.begin_with_coordinates(Matrix::Identity(rank, state.columns()));
      return;
    case Init::random:
      state.begin_with_coordinates(random_coordinates(node, state.basis(), state.columns()));
      return;
  }
}

Task<void> align_by_landmarks(Node& node, Matrix mine, ProjectionConsensus& state) {
  Message shown(Kind::coefficients);
  shown.array(mine);
  const Message roots = co_await broadcast(node, node.tree(), shown);
  Matrix turn = alignment(mine, roots.array(0).matrix());
  state.rotate(turn);
  mine *= turn;
  const Matrix sum = co_await tree_sum(node, node.tree(), mine, Kind::coefficients);
  state.rotate(alignment(mine, sum));
}

Task<void> align_along_tree(Node& node, Init init, ProjectionConsensus& state) {
  const Channel channel = node.open_channel();
  const TreePlace& tree = node.tree();
  if (tree.parent != node.id()) {
    const std::optional<Received> mail = co_await node.receive_from(tree.parent, channel, node.deadline());
    if (!mail) {
      fail(ErrorCategory::PeerLost,
           "node {} waits for the directions of node {}, its parent in the tree, which did not send them in "
           "time",
           node.id(), tree.parent);
    }
    const Index seen = init == Init::gather ? 0 : member_of(node, tree.parent);
    const auto sent = matrix_from(*mail, 0, state.kernel().size(seen), state.columns(), "directions");
    const Matrix reference = seen_by_child(node, init, sent, state);
    state.rotate(alignment(state.b(), reference));
  }
  for (const NodeId child : tree.children) {
    if (node.lost(node.position_of(child))) continue;
    Message message(Kind::coefficients);
    message.on(channel, 0).array(for_child(node, init, child, state));
    node.send(child, message);
  }
}

}  // namespace choir::consensus_kpca
