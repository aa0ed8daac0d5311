#include "choir/learn/gossip_pca/refinement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/assessment/residual_claims.h"
#include "choir/learn/features/appraisal.h"
#include "choir/learn/gossip_pca/hidden_sums.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/qr.h"

namespace choir::gossip_pca {
namespace {

constexpr Purpose widening_purpose("gossip-pca-widening");
constexpr Purpose halves_purpose("halves of features");
constexpr double rank_cutoff = 1e-12;  // values below this share of the first are no components
constexpr double good_claim = 0.99;    // steps that are left are taken until all claims are as good
constexpr Index guards_told = 10;      // values beyond the components that are told with them
constexpr double eigen_tolerance = 1e-12;
constexpr double far_away = 1e6;  // squared distance of the mean from the origin, in variances

Message question(const Matrix& directions, const Vector& origin, Word word) {
  Message message = spoken(word, Kind::totals);
  message.array(Array(directions)).array(Array(origin));
  return message;
}

Message question(const GuardedAnswer& answer, const Vector& mean) {
  Message message = spoken(Word::appraise, Kind::totals);
  message.integer(answer.kept);
  message.array(Array(answer.directions)).array(Array(mean)).array(Array(answer.variances));
  return message;
}

GuardedAnswer answer_in(const Message& asked) {
  return {.directions = asked.array(0).matrix(),
          .variances = asked.array(2).matrix().reshaped(),
          .kept = asked.integer(1)};
}

Message final_answer(const Refined& refined) {
  Message message = spoken(Word::answer, Kind::totals);
  message.integer(refined.steps).integer(refined.converged);
  message.number(refined.samples).number(refined.total_variance).number(refined.growth);
  message.number(refined.between_nodes).number(refined.captured_share);
  message.array(Array(refined.mean)).array(Array(refined.directions));
  message.array(Array(refined.values)).array(Array(refined.residuals)).array(Array(refined.claims));
  return message;
}

Refined unpack_answer(const Message& message) {
  return {.mean = message.array(0).matrix().reshaped(),
          .directions = message.array(1).matrix(),
          .values = message.array(2).matrix().reshaped(),
          .residuals = message.array(3).matrix().reshaped(),
          .claims = message.array(4).matrix().reshaped(),
          .captured_share = message.number(4),
          .samples = message.number(0),
          .total_variance = message.number(1),
          .between_nodes = message.number(3),
          .growth = message.number(2),
          .steps = message.integer(1),
          .converged = message.integer(2) != 0};
}

void require_rows(Index asked, const OwnColumns& own) {
  if (asked == own.columns.rows()) return;
  fail(ErrorCategory::BadData, "was asked about {} features and has {}; all nodes need the same features",
       asked, own.columns.rows());
}

ScatterSums own_sums(const OwnColumns& own, const Message& asked, bool centred) {
  const auto mine = own.columns.matrix();
  const Vector origin = asked.array(1).matrix().reshaped();
  const bool whole = word_of(asked) == Word::sum_up;
  require_rows(origin.size(), own);
  if (!whole) require_rows(asked.array(0).rows(), own);
  ScatterSums sums =
      whole ? whole_scatter(mine, origin) : products_with(asked.array(0).matrix(), mine, origin);
  if (own.kernel) sums.outside = squares_outside(*own.kernel, mine);
  if (!centred) sums.sum.setZero();
  return sums;
}

Matrix own_appraisal(const OwnColumns& own, const Message& asked) {
  const GuardedAnswer answer = answer_in(asked);
  require_rows(answer.directions.rows(), own);
  if (!own.kernel) fail(ErrorCategory::BadData, "was asked about a kernel, and has none");
  return appraisal_sums(*own.kernel, answer, asked.array(1).matrix().reshaped(), own.columns.matrix());
}

// A conversation, and the masks of its sums.
struct Gathering {
  Conversation talk;
  SecureSums sums;
};

Task<std::optional<ScatterSums>> ask_all(Gathering all, OwnColumns own, Message asked, bool centred) {
  all.talk.tell_children(asked);
  ScatterSums sums = own_sums(own, asked, centred);
  const std::optional<Matrix> total = co_await add_up(all.talk, all.sums, packed(sums));
  if (!total) co_return std::nullopt;
  unpack(*total, sums);
  co_return sums;
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
  refined.between_nodes = between_share(sums);
  refined.mean = origin + mean_offset(sums);
}

void read_pairs(const RitzPairs& pairs, Index kept, Refined& refined) {
  refined.directions = pairs.vectors.leftCols(std::min(kept, pairs.vectors.cols()));
  refined.values = pairs.values;
  refined.residuals = pairs.residuals;
}

// All of them, or of many features the leading ones: what is asked for and guard columns.
RitzPairs eigenpairs_of(const Matrix& covariance, const RefinementRule& rule) {
  EigenPairs pairs;
  const Index wanted = rule.kept + guards_told;
  if (rule.appraised && wanted < covariance.rows()) {
    pairs = top_eigenpairs(DenseOperator(covariance), {.count = wanted, .tol = eigen_tolerance});
  } else {
    pairs = eigen_symmetric<double>(covariance);
  }
  const double first = pairs.values.size() > 0 ? std::max(0.0, pairs.values(0)) : 0;
  const double rounding = static_cast<double>(covariance.rows()) * std::numeric_limits<double>::epsilon();
  const double residual = first * std::max(pairs.residual, rounding);
  return {.values = pairs.values.cwiseMax(0),
          .vectors = std::move(pairs.vectors),
          .residuals = Vector::Constant(pairs.values.size(), residual)};
}

// The components that were asked for, and as many beside them as show whether these are separated.
GuardedAnswer guarded_answer(const RitzPairs& pairs, Index kept) {
  const Index all = std::min(kept + guards_told, significant_values(pairs.values));
  return {.directions = pairs.vectors.leftCols(all), .variances = pairs.values.head(all), .kept = kept};
}

// The sums of all, about an origin that is not so far away that variances cancel: where the root had no
// samples, it may be.
struct WholeScatter {
  ScatterSums sums;
  Vector origin;
};

Task<std::optional<WholeScatter>> sum_whole_scatter(Gathering all, OwnColumns own, Vector origin,
                                                    bool centred) {
  const Matrix no_directions;
  while (true) {
    const Message asked = question(no_directions, origin, Word::sum_up);
    std::optional<ScatterSums> sums = co_await ask_all(all, own, asked, centred);
    if (!sums) co_return std::nullopt;
    if (all.talk.is_brief()) {
      all.talk.everybody_is_here();
      all.talk.tell_children(spoken(Word::all_here, Kind::control));
    }
    const Vector offset = mean_offset(*sums);
    const bool near = offset.squaredNorm() <= far_away * total_variance(*sums);
    // Once more at most: what is near it and still far has no variance.
    if (near || offset.norm() <= 1e-6 * origin.norm()) {
      WholeScatter found{.sums = std::move(*sums), .origin = std::move(origin)};
      co_return found;
    }
    origin += offset;
  }
}

// Whether features stand for their kernel: what half of them would have found, and what they miss.
Task<std::optional<AgreedClaims>> appraise(Gathering all, OwnColumns own, Matrix covariance,
                                           GuardedAnswer answer, Vector mean) {
  const Message asked = question(answer, mean);
  all.talk.tell_children(asked);
  const Rng random = all.talk.node().rng(halves_purpose, 0);
  const Vector halves = claims_from_halves(own.kernel->map, covariance, answer, random);
  Matrix mine = own_appraisal(own, asked);
  const std::optional<Matrix> sums = co_await add_up(all.talk, all.sums, std::move(mine));
  if (!sums) co_return std::nullopt;
  co_return claims_of_features(own.kernel->map, answer, halves, *sums);
}

Task<std::optional<Refined>> from_whole_scatter(Gathering all, OwnColumns own, RefinementStart start,
                                                RefinementRule rule) {
  const std::optional<WholeScatter> found =
      co_await sum_whole_scatter(all, own, std::move(start.origin), rule.centred);
  if (!found) co_return std::nullopt;
  all.talk.everybody_is_here();
  const Matrix whole = covariance(found->sums);
  const RitzPairs pairs = eigenpairs_of(whole, rule);
  Refined refined;
  read_sums(found->sums, found->origin, refined);
  read_pairs(pairs, rule.kept, refined);
  refined.steps = 1;
  refined.converged = true;
  const Index asked_for =
      components_of(pairs.values.head(refined.directions.cols()), refined.total_variance, rule.components);
  if (!rule.appraised || asked_for == 0) co_return refined;
  const GuardedAnswer answer = guarded_answer(pairs, asked_for);
  const std::optional<AgreedClaims> claims = co_await appraise(all, own, whole, answer, refined.mean);
  if (!claims) co_return std::nullopt;
  refined.claims = claims->similarity;
  refined.captured_share = claims->captured_share;
  co_return refined;
}

Task<std::optional<Refined>> by_steps(Gathering all, OwnColumns own, RefinementStart start,
                                      RefinementRule rule) {
  Refined refined;
  RitzSpace space;
  Matrix block =
      widened(std::move(start.directions), std::min(rule.width, own.columns.rows()), all.talk.node());
  while (true) {
    const Message asked = question(block, start.origin, Word::multiply);
    const std::optional<ScatterSums> sums = co_await ask_all(all, own, asked, rule.centred);
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

Task<std::optional<Refined>> conduct(Gathering all, OwnColumns own, RefinementStart start,
                                     RefinementRule rule) {
  std::optional<Refined> refined;
  if (rule.sums_whole_scatter(own.columns.rows())) {
    refined = co_await from_whole_scatter(all, own, start, rule);
  } else {
    refined = co_await by_steps(all, own, start, rule);
  }
  if (refined) {
    all.talk.tell_children(final_answer(*refined));
  } else {
    all.talk.refuse();
  }
  co_return refined;
}

// Adds the node's answer to a question to the others'. False: somebody is missing.
Task<bool> answer_with_all(Gathering all, OwnColumns own, Message asked, bool centred) {
  const bool appraises = word_of(asked) == Word::appraise;
  Matrix mine = appraises ? own_appraisal(own, asked) : packed(own_sums(own, asked, centred));
  const std::optional<Matrix> passed_on = co_await add_up(all.talk, all.sums, std::move(mine));
  co_return passed_on.has_value();
}

Task<std::optional<Refined>> answer_questions(Gathering all, OwnColumns own, RefinementRule rule) {
  bool all_answer = true;
  while (all_answer) {
    const std::optional<Message> word = co_await hear(all.talk, all.talk.tree().parent);
    if (!word) break;
    all.talk.tell_children(*word);
    if (word_of(*word) == Word::answer) co_return unpack_answer(*word);
    if (word_of(*word) == Word::all_here) {
      all.talk.everybody_is_here();
    } else {
      all_answer = co_await answer_with_all(all, own, *word, rule.centred);
    }
  }
  all.talk.refuse();
  co_return std::nullopt;
}

}  // namespace

Task<std::optional<Refined>> refine(Node& node, OwnColumns own, RefinementStart start, RefinementRule rule,
                                    Patience patience) {
  const Conversation talk(node, std::move(patience));
  std::optional<SecureSums> sums;
  if (!talk.has_lost_any()) sums = co_await introduce(talk);
  if (!sums) {
    talk.refuse();
    co_return std::nullopt;
  }
  const Gathering all{.talk = talk, .sums = *sums};
  std::optional<Refined> refined;
  if (talk.is_root()) {
    refined = co_await conduct(all, own, start, rule);
  } else {
    refined = co_await answer_questions(all, own, rule);
  }
  co_return refined;
}

Vector claims_of(const Refined& refined, Index count) {
  if (refined.claims.size() > 0) return refined.claims.head(count);
  RitzNeighborhood around;
  around.kept = count;
  around.beyond = std::max(0.0, refined.total_variance - refined.values.sum());
  return residual_claims(refined.values, refined.residuals, around);
}

Index significant_values(const Vector& values) {
  if (values.size() == 0) return 0;
  return (values.array() > rank_cutoff * values(0)).count();
}

Index components_of(const Vector& values, double total_variance, const ComponentChoice& choice) {
  const Index significant = significant_values(values);
  if (!choice.by_fraction()) return std::min(significant, choice.count);
  double explained = 0;
  for (Index d = 0; d < significant; ++d) {
    explained += values(d);
    if (explained >= choice.fraction * total_variance) return d + 1;
  }
  return significant;
}

}  // namespace choir::gossip_pca
