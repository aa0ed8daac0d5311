#include "choir/learn/oneshot_kpca/sending_plan.h"

namespace choir::oneshot_kpca {

SendingNeed need_of(const KernelFactor& product, const DistanceFactor& distances, double gamma,
                    Index columns) {
  return {.product_numbers = static_cast<double>(numbers_in(product)),
          .distances_numbers = static_cast<double>(numbers_in(distances)),
          .product_error = product.dropped,
          .distances_error = 2 * gamma * distances.dropped,
          .beyond_columns = product.values.size() > columns ? 1.0 : 0.0};
}

Matrix packed(const SendingNeed& need) {
  Matrix numbers(5, 1);
  numbers << need.product_numbers, need.distances_numbers, need.product_error, need.distances_error,
      need.beyond_columns;
  return numbers;
}

SendingNeed unpacked_need(const Matrix& packed) {
  return {.product_numbers = packed(0, 0),
          .distances_numbers = packed(1, 0),
          .product_error = packed(2, 0),
          .distances_error = packed(3, 0),
          .beyond_columns = packed(4, 0)};
}

double scatter_threshold(double epsilon, double gamma, Index samples) {
  return epsilon * static_cast<double>(samples) / (2 * gamma);
}

Estimator cheaper_estimator(const SendingNeed& all) {
  const bool distances = all.beyond_columns > 0 || all.distances_numbers <= all.product_numbers;
  return distances ? Estimator::distances : Estimator::product;
}

Estimator better_estimator(const SendingNeed& all) {
  const bool distances = all.beyond_columns > 0 || all.distances_error <= all.product_error;
  return distances ? Estimator::distances : Estimator::product;
}

}  // namespace choir::oneshot_kpca
