#include "choir/learn/oneshot_kpca/quality.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/metrics/subspace.h"

namespace choir::oneshot_kpca {
namespace {

// As the parties preprocessed them, one below the other.
Samples all_features(const Fit& fit) {
  const auto parties = static_cast<NodeId>(fit.nodes.size());
  Index features = 0;
  for (NodeId party = 0; party < parties; ++party) features += fit.at(party).features.rows();
  Samples all(features, fit.at(0).features.columns());
  for (Index row = 0; const auto& party : fit.nodes) {
    all.middleRows(row, party->features.rows()) = party->features.matrix();
    row += party->features.rows();
  }
  return all;
}

}  // namespace

double subspace_error_of(const Fit& fit, central_kpca::Options central, const RunOptions& run) {
  const Samples features = all_features(fit);
  const auto first =
      std::find_if(fit.nodes.begin(), fit.nodes.end(), [](const auto& party) { return party->answer; });
  if (first == fit.nodes.end()) {
    throw Error(ErrorCategory::InvalidArgument, "no party has an answer that could be compared");
  }
  central.kernel = (*first)->kernel;
  central.n_components = {.count = (*first)->answer->eigenvalues.size()};
  const Matrix truth = fit_central_kpca(features, central, run).scores;
  double worst = 0;
  for (const auto& party : fit.nodes) {
    if (party->answer) worst = std::max(worst, subspace_error(truth, party->answer->vectors));
  }
  return worst;
}

}  // namespace choir::oneshot_kpca
