#include "choir/learn/oneshot_kpca/factor_message.h"

#include <cmath>

#include "choir/learn/plausibility.h"

namespace choir::oneshot_kpca {
namespace {

constexpr const char* do_not_fit =
    "its parts do not fit together, are not finite, or are not of as many samples";

bool are_lengths(const Vector& values) { return values.allFinite() && (values.array() >= 0).all(); }

}  // namespace

Message pack(const KernelFactor& factor, Kind kind) {
  Message message(kind);
  message.number(factor.dropped).number(factor.trace);
  message.array(Array(factor.vectors)).array(Array(factor.values));
  return message;
}

Message pack(const DistanceFactor& factor, Kind kind) {
  Message message(kind);
  message.number(factor.mean_norm).number(factor.entries.count);
  message.number(factor.entries.mean(0)).number(factor.entries.squares(0)).number(factor.dropped);
  message.array(Array(factor.coordinates)).array(Array(factor.residuals)).array(Array(factor.mean_products));
  return message;
}

KernelFactor unpack_kernel_factor(const Message& message, Index samples, double largest_square, NodeId from) {
  KernelFactor factor{.vectors = message.array(0).matrix(),
                      .values = message.array(1).matrix().reshaped(),
                      .dropped = message.number(0),
                      .trace = message.number(1)};
  const auto require = [&](bool possible, const char* why) {
    require_possible(possible, from, "a factor", why);
  };
  require(factor.vectors.rows() == samples && factor.vectors.cols() == factor.values.size() &&
              factor.vectors.allFinite() && are_lengths(factor.values) && is_mass(factor.dropped) &&
              is_mass(factor.trace),
          do_not_fit);
  require(is_at_most(factor.vectors.colwise().squaredNorm().sum(), static_cast<double>(factor.values.size())),
          "its vectors are longer than 1");
  require(is_at_most(factor.values.sum() + factor.dropped, factor.trace), "its eigenvalues exceed its trace");
  require(fit_the_kernel(factor.trace, static_cast<double>(samples), largest_square),
          "its trace exceeds that of the kernel");
  return factor;
}

DistanceFactor unpack_distance_factor(const Message& message, Index samples, NodeId from) {
  DistanceFactor factor{.coordinates = message.array(0).matrix(),
                        .residuals = message.array(1).matrix().reshaped(),
                        .dropped = message.number(4),
                        .mean_products = message.array(2).matrix().reshaped(),
                        .mean_norm = message.number(0),
                        .entries = {.count = message.number(1),
                                    .mean = Vector::Constant(1, message.number(2)),
                                    .squares = Vector::Constant(1, message.number(3))}};
  require_possible(factor.coordinates.rows() == samples && factor.residuals.size() == samples &&
                       factor.mean_products.size() == samples && factor.coordinates.allFinite() &&
                       are_lengths(factor.residuals) && factor.mean_products.allFinite() &&
                       is_mass(factor.dropped) && is_mass(factor.mean_norm) && factor.entries.count > 0 &&
                       std::isfinite(factor.entries.count) && std::isfinite(factor.entries.mean(0)) &&
                       are_lengths(factor.entries.squares),
                   from, "a factor", do_not_fit);
  return factor;
}

}  // namespace choir::oneshot_kpca
