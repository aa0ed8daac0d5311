#include "choir/learn/gossip_pca/refinement.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/assessment/residual_claims.h"
#include "choir/learn/gossip_pca/estimate.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/qr.h"

namespace choir::gossip_pca {
namespace {

constexpr Purpose widening_purpose("gossip-pca-widening");
constexpr double rank_cutoff = 1e-12;  // values below this share of the first are no components
constexpr double good_claim = 0.99;    // steps that are left are taken until all claims are as good
constexpr Duration last_chance = std::chrono::seconds(10);  // for who seemed dead
constexpr Index guards_told = 10;  // values beyond the components that are told with them

// What the first integer of a message says.
enum class Word : std::int64_t { multiply, sum_up, answer, refuse };

Word word_of(const Message& message) { return static_cast<Word>(message.integer(0)); }

Message question(const Matrix& directions, const Vector& origin, Word word) {
  Message message(Kind::statistics);
  message.integer(static_cast<std::int64_t>(word)).array(Array(directions)).array(Array(origin));
  return message;
}

Message pack(const ScatterSums& sums) {
  Message message(kind_of_summary(static_cast<Index>(sums.samples)));
  message.integer(static_cast<std::int64_t>(Word::answer)).number(sums.samples).number(sums.squares);
  message.array(Array(sums.sum)).array(Array(sums.products));
  return message;
}

void add(ScatterSums& mine, const Message& theirs, NodeId from) {
  const ScatterSums sums{.samples = theirs.number(0),
                         .squares = theirs.number(1),
                         .sum = theirs.array(0).matrix().reshaped(),
                         .products = theirs.array(1).matrix()};
  if (sums.sum.size() != mine.sum.size() || sums.products.rows() != mine.products.rows() ||
      sums.products.cols() != mine.products.cols()) {
    fail(ErrorCategory::BadData,
         "node {} sent sums of {} x {} where {} x {} were expected; all nodes need the same features", from,
         sums.products.rows(), sums.products.cols(), mine.products.rows(), mine.products.cols());
  }
  mine += sums;
}

Message pack(const Refined& refined) {
  Message message(Kind::statistics);
  message.integer(static_cast<std::int64_t>(Word::answer)).integer(refined.steps).integer(refined.converged);
  message.number(refined.samples).number(refined.total_variance).number(refined.growth);
  message.array(Array(refined.mean)).array(Array(refined.directions));
  message.array(Array(refined.values)).array(Array(refined.residuals));
  return message;
}

Refined unpack_answer(const Message& message) {
  return {.mean = message.array(0).matrix().reshaped(),
          .directions = message.array(1).matrix(),
          .values = message.array(2).matrix().reshaped(),
          .residuals = message.array(3).matrix().reshaped(),
          .samples = message.number(0),
          .total_variance = message.number(1),
          .growth = message.number(2),
          .steps = message.integer(1),
          .converged = message.integer(2) != 0};
}

// A node's side of the conversation along the tree.
struct Place {
  Node& node;
  const TreePlace& tree;
  Channel channel;
  std::vector<NodeId> silent;

  Deadline patience_with(NodeId other) const {
    const bool doubtful = std::find(silent.begin(), silent.end(), other) != silent.end();
    const Deadline whole = node.deadline();
    return doubtful ? Deadline::at(std::min(whole.time(), node.now() + last_chance)) : whole;
  }
  // A link that a sum before this one has dropped.
  bool has_lost_any() const {
    const auto lost = [this](NodeId other) { return node.lost(node.position_of(other)); };
    return std::any_of(tree.children.begin(), tree.children.end(), lost) ||
           (tree.parent != node.id() && lost(tree.parent));
  }
  void tell(NodeId to, Message message) const {
    message.on(channel, 0);
    if (!node.lost(node.position_of(to))) node.send(to, std::move(message));
  }
  void tell_children(const Message& message) const {
    for (const NodeId child : tree.children) tell(child, message);
  }
  void refuse() const {
    Message refusal(Kind::control);
    refusal.integer(static_cast<std::int64_t>(Word::refuse));
    if (tree.parent != node.id()) tell(tree.parent, refusal);
    tell_children(refusal);
  }
};

// Nothing: it refused, has ended, or did not speak in time.
Task<std::optional<Message>> hear(Place place, NodeId from) {
  const Deadline deadline = place.patience_with(from);
  std::optional<Received> mail = co_await place.node.receive_from(from, place.channel, deadline);
  if (!mail || word_of(mail->message) == Word::refuse) co_return std::nullopt;
  co_return std::move(mail->message);
}

ScatterSums own_sums(const Array& columns, const Message& asked, bool centred) {
  const auto mine = columns.matrix();
  const Vector origin = asked.array(1).matrix().reshaped();
  const bool whole = word_of(asked) == Word::sum_up;
  if (origin.size() != mine.rows() || (!whole && asked.array(0).rows() != mine.rows())) {
    fail(ErrorCategory::BadData, "was asked about {} features and has {}; all nodes need the same features",
         origin.size(), mine.rows());
  }
  ScatterSums sums =
      whole ? whole_scatter(mine, origin) : products_with(asked.array(0).matrix(), mine, origin);
  if (!centred) sums.sum.setZero();
  return sums;
}

// The sums of the node's subtree, or nothing if anybody in it is missing.
Task<std::optional<ScatterSums>> collect(Place place, Array columns, Message asked, bool centred) {
  ScatterSums sums = own_sums(columns, asked, centred);
  for (const NodeId child : place.tree.children) {
    const std::optional<Message> theirs = co_await hear(place, child);
    if (!theirs) co_return std::nullopt;
    add(sums, *theirs, child);
  }
  co_return sums;
}

Task<std::optional<ScatterSums>> ask_all(Place place, Array columns, Message asked, bool centred) {
  place.tell_children(asked);
  return collect(place, std::move(columns), std::move(asked), centred);
}

// Random columns are added where there are too few: what gossip did not find may still be there.
Matrix widened(Matrix directions, Index width, Node& node) {
  const Index before = directions.cols();
  if (before >= width) return directions.leftCols(width);
  Rng random = node.rng(widening_purpose, 0);
  directions.conservativeResize(Eigen::NoChange, width);
  for (double& entry : directions.rightCols(width - before).reshaped()) entry = random.normal();
  return thin_qr<double>(std::move(directions)).q;
}

double growth_of(const Vector& before, const Vector& now, Index kept) {
  if (before.size() == 0) return std::numeric_limits<double>::max();
  double growth = 0;
  for (Index d = 0; d < std::min(kept, significant_values(now)); ++d) {
    const double old = d < before.size() ? before(d) : 0;
    growth = std::max(growth, std::abs(now(d) - old) / now(d));
  }
  return growth;
}

void read_sums(const ScatterSums& sums, const Vector& origin, Refined& refined) {
  refined.samples = sums.samples;
  refined.total_variance = total_variance(sums);
  refined.mean = origin + mean_offset(sums);
}

void read_pairs(const RitzPairs& pairs, Index kept, Refined& refined) {
  refined.directions = pairs.vectors.leftCols(std::min(kept, pairs.vectors.cols()));
  refined.values = pairs.values;
  refined.residuals = pairs.residuals;
}

Task<std::optional<Refined>> from_whole_scatter(Place place, Array columns, RefinementStart start,
                                                RefinementRule rule) {
  const Message asked = question(Matrix(0, 0), start.origin, Word::sum_up);
  const std::optional<ScatterSums> sums = co_await ask_all(place, columns, asked, rule.centred);
  if (!sums) co_return std::nullopt;
  EigenPairs all = eigen_symmetric<double>(covariance(*sums));
  const double first = all.values.size() > 0 ? std::max(0.0, all.values(0)) : 0;
  const double rounding =
      first * static_cast<double>(all.values.size()) * std::numeric_limits<double>::epsilon();
  const RitzPairs pairs{.values = all.values.cwiseMax(0),
                        .vectors = all.vectors,
                        .residuals = Vector::Constant(all.values.size(), rounding)};
  Refined refined;
  read_sums(*sums, start.origin, refined);
  read_pairs(pairs, rule.kept, refined);
  refined.steps = 1;
  refined.converged = true;
  co_return refined;
}

Task<std::optional<Refined>> by_steps(Place place, Array columns, RefinementStart start,
                                      RefinementRule rule) {
  Refined refined;
  RitzSpace space;
  Matrix block = widened(std::move(start.directions), std::min(rule.width, columns.rows()), place.node);
  while (true) {
    const Message asked = question(block, start.origin, Word::multiply);
    const std::optional<ScatterSums> sums = co_await ask_all(place, columns, asked, rule.centred);
    if (!sums) co_return std::nullopt;
    space.add(block, covariance_products(*sums, block));
    const Vector before = refined.values;
    read_sums(*sums, start.origin, refined);
    read_pairs(space.leading(rule.kept + guards_told), rule.kept, refined);
    ++refined.steps;
    block = space.next_block(rule.width);
    refined.growth = block.cols() == 0 ? 0 : growth_of(before, refined.values, rule.kept);
    refined.converged = refined.growth < rule.tol;
    const Index components = std::min(rule.kept, significant_values(refined.values));
    const bool good = (claims_of(refined, components).array() >= good_claim).all();
    if (block.cols() == 0 || refined.steps == RefinementRule::most_steps) break;
    if (refined.converged && good) break;
  }
  co_return refined;
}

Task<std::optional<Refined>> conduct(Place place, Array columns, RefinementStart start, RefinementRule rule) {
  std::optional<Refined> refined;
  if (rule.sums_whole_scatter(columns.rows())) {
    refined = co_await from_whole_scatter(place, columns, start, rule);
  } else {
    refined = co_await by_steps(place, columns, start, rule);
  }
  if (refined) {
    place.tell_children(pack(*refined));
  } else {
    place.refuse();
  }
  co_return refined;
}

Task<std::optional<Refined>> answer_questions(Place place, Array columns, RefinementRule rule) {
  while (true) {
    const std::optional<Message> word = co_await hear(place, place.tree.parent);
    if (!word) break;
    place.tell_children(*word);
    if (word_of(*word) == Word::answer) co_return unpack_answer(*word);
    const std::optional<ScatterSums> sums = co_await collect(place, columns, *word, rule.centred);
    if (!sums) break;
    place.tell(place.tree.parent, pack(*sums));
  }
  place.refuse();
  co_return std::nullopt;
}

}  // namespace

Task<std::optional<Refined>> refine(Node& node, Array columns, RefinementStart start, RefinementRule rule,
                                    std::vector<NodeId> silent) {
  const Place place{node, node.tree(), node.open_reliable_channel(), std::move(silent)};
  if (place.has_lost_any()) {
    place.refuse();
    co_return std::nullopt;
  }
  const bool root = node.tree().parent == node.id();
  std::optional<Refined> refined;
  if (root) {
    refined = co_await conduct(place, columns, start, rule);
  } else {
    refined = co_await answer_questions(place, columns, rule);
  }
  co_return refined;
}

Vector claims_of(const Refined& refined, Index count) {
  RitzNeighborhood around;
  around.kept = count;
  around.beyond = std::max(0.0, refined.total_variance - refined.values.sum());
  return residual_claims(refined.values, refined.residuals, around);
}

Index significant_values(const Vector& values) {
  if (values.size() == 0) return 0;
  return (values.array() > rank_cutoff * values(0)).count();
}

}  // namespace choir::gossip_pca
