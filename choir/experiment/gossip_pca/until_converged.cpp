#include "choir/experiment/gossip_pca/until_converged.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace choir {

double first_below(const std::vector<CurvePoint>& points, double bound) {
  double first = std::numeric_limits<double>::quiet_NaN();
  for (const CurvePoint& point : points) {
    if (!(point.errors.error <= bound)) {
      first = std::numeric_limits<double>::quiet_NaN();
    } else if (std::isnan(first)) {
      first = point.messages;
    }
  }
  return first;
}

double settled_after(const std::vector<CurvePoint>& points) {
  return first_below(points, 1.01 * points.back().errors.error);
}

std::vector<double> dense_points(double most) {
  std::vector<double> points;
  for (double point = 1; point < most; point = std::max(point + 1, std::floor(1.03 * point))) {
    points.push_back(point);
  }
  points.push_back(most);
  return points;
}

}  // namespace choir
