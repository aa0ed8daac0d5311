// What a party does whoever fuses: how much it sends, and what it makes of factors if it has to.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/learn/oneshot_kpca/factors.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

namespace choir::oneshot_kpca {

// At D_j = D the result is inexact even for one party: the mean takes a direction.
constexpr Index beyond_components = 5;

Index wanted_components(const Options& options);

// How many vectors a party sends by this estimator; for distances by themselves, not in place of a product.
FactorSize size_for(Estimator estimator, const Node& node, const Options& options);
// Distances as exact as the product of an rbf kernel of this gamma would be.
FactorSize size_like_product(double gamma, const Node& node, const Options& options, Index samples);

// Notes how many vectors leave the party. Throws Error(InvalidArgument) if they are as good as its raw
// features and that is not allowed.
void note_size(Index sent, const Options& options, NodeResult& result);
// What a party sends, and that it is what it is.
Kind kind_of(const NodeResult& result);

// The answer from all parties' factors, with what can be said about its quality.
Answer answer_from_products(const Node& node, const std::vector<KernelFactor>& factors,
                            const Options& options, const NodeResult& party);
// `fewer`: what a smaller number of vectors would have given, to compare with.
// Chooses gamma, too, if the kernel has one that is not known yet; `seed` draws the pairs of a median.
Answer answer_from_distances(const Node& node, const std::vector<DistanceFactor>& factors,
                             const std::vector<DistanceFactor>& fewer, std::uint64_t seed,
                             const Options& options, NodeResult& party);

}  // namespace choir::oneshot_kpca
