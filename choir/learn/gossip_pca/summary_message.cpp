#include "choir/learn/gossip_pca/summary_message.h"

#include <cmath>

#include "choir/base/error.h"
#include "choir/learn/plausibility.h"

namespace choir::gossip_pca {
namespace {

bool is_sound(const Summary& summary, const SummaryShape& shape) {
  const bool late = shape.rule.merge == MergeRule::late;
  const Index columns = late && summary.weight > 0 ? shape.dimension : summary.values.size();
  const bool masses =
      is_mass(summary.weight) && is_mass(summary.nodes) && is_mass(summary.trace) && is_mass(summary.within);
  return masses && (late || summary.basis.columns() == columns) &&
         summary.sum.size() == (shape.rule.has_mean ? shape.dimension : 0) && summary.sum.allFinite() &&
         summary.values.allFinite() && (summary.values.array() >= 0).all() &&
         summary.basis.matrix().allFinite();
}

bool has_unit_columns(const Array& basis) {
  const Vector squares = basis.matrix().colwise().squaredNorm();
  return (squares.array() - 1).abs().maxCoeff() < 1e-6;
}

// All of it fades and is given away in the same shares, so what holds for samples holds for any part.
void require_samples(const Summary& summary, const SummaryShape& shape, NodeId from) {
  const auto require = [&](bool possible, const char* why) {
    require_possible(possible, from, "a summary", why);
  };
  require(is_at_most(summary.within, summary.trace), "nodes differ less than not at all");
  if (shape.rule.merge == MergeRule::late || summary.values.size() == 0) return;
  require(has_unit_columns(summary.basis), "its directions are not of unit length");
  if (shape.rule.centred())
    require(is_at_most(summary.values.sum(), summary.trace), "its variances exceed their total");
  const double squares = summary.weight > 0 ? summary.trace + summary.sum.squaredNorm() / summary.weight : 0;
  require(fit_the_kernel(squares, summary.weight, shape.largest_square),
          "its samples are longer than the kernel's");
}

}  // namespace

Message pack(const Summary& summary, const Participants::Words& participants, Kind kind) {
  Message message(kind);
  message.number(summary.weight).number(summary.nodes).number(summary.trace).number(summary.within);
  message.array(Array(summary.sum)).array(summary.basis).array(Array(summary.values));
  message.array(Array(participants));
  return message;
}

PackedSummary unpack(const Message& message, const SummaryShape& shape, NodeId from) {
  PackedSummary packed;
  Summary& summary = packed.summary;
  summary.weight = message.number(0);
  summary.nodes = message.number(1);
  summary.trace = message.number(2);
  summary.within = message.number(3);
  summary.sum = message.array(0).matrix().reshaped();
  summary.basis = message.array(1);
  summary.values = message.array(2).matrix().reshaped();
  packed.participants = message.array(3).integers();
  if (summary.dimension() != shape.dimension) {
    fail(ErrorCategory::BadData,
         "node {} sent a summary of {} dimensions to a node that has {}; all nodes need {}", from,
         summary.dimension(), shape.dimension,
         shape.rule.has_mean ? "the same features" : "the same samples");
  }
  require_possible(is_sound(summary, shape) && packed.participants.size() == (shape.nodes + 63) / 64, from,
                   "a summary", "its parts do not fit together or are not finite");
  require_samples(summary, shape, from);
  return packed;
}

}  // namespace choir::gossip_pca
