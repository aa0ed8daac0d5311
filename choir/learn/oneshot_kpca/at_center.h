// One message from each party to a centre, which alone gets the answer.
#pragma once

#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

namespace choir::oneshot_kpca {

// result: has the party's features and its kernel; gamma is agreed on here, or chosen by the centre.
Task<void> fuse_at_center(Node& node, Options options, NodeResult& result);

// gamma by moments of all parties' features: sums along the tree, about each party's own mean.
Task<double> gamma_of_parties(Node& node, GammaSpec spec, NodeResult& result);

}  // namespace choir::oneshot_kpca
