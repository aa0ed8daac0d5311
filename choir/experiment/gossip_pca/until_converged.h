// How many messages a node it takes until nothing worth having comes any more.
#pragma once

#include <vector>

#include "choir/experiment/gossip_pca/convergence.h"

namespace choir {

// The first point from which on every E is at most `bound`; NaN if the last one is not.
double first_below(const std::vector<CurvePoint>& points, double bound);

// The same within 1% of the last E.
double settled_after(const std::vector<CurvePoint>& points);

// Every message up to 60, then ever further apart, within 3%.
std::vector<double> dense_points(double most);

}  // namespace choir
