// How good an answer is, measured by the nodes without pooling their samples. README.md beside this says how.
//
//   Assessment assessment;
//   const ScoreMoments mine = score_moments(scores);            // of a node
//   assessment.captured_variance = captured_variance(moments);  // those of all nodes, added up
//   assessment.claimed_similarity = claims;                     // D cosines, or empty: nothing is claimed
//   call_weak_claims(assessment, "raise --n-landmarks");        // a sentence for those that are weak
//   assessment.good();                                          // nothing speaks against it
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "choir/learn/assessment/separation.h"
#include "choir/linalg/types.h"

namespace choir {

// Below this a claimed similarity says that the answer should not be relied on.
constexpr double weak_claim = 0.9;

struct Assessment {
  Vector captured_variance = {};  // D, descending: of the answer's scores over all samples of the network
  double total_variance = 0;      // that there is to capture; 0: not known
  double captured_share = 0;      // of what as many central components capture, as estimated; 0: not known
  Vector claimed_similarity =
      {};  // D: to the central components, or to their group; empty: nothing is claimed
  std::vector<ComponentGroup> unseparated = {};  // components that only their group determines
  std::vector<std::string> weaknesses = {};      // why not to rely on it, and what helps, a sentence each

  bool good() const { return weaknesses.empty(); }

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(captured_variance, total_variance, captured_share, claimed_similarity, unseparated, weaknesses);
  }
};

// Adds the sentence that names the components whose claim is below `weak_claim`; `advice` says what helps,
// beside asking for no more than the components before them.
void call_weak_claims(Assessment& assessment, std::string_view advice);

}  // namespace choir
