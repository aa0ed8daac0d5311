// How the budget of one run is split over the sums that it makes public.
//
//   PrivacyPlan plan({.epsilon = 1.0}, 20);                                          // of 20 nodes
//   const Release moments = plan.release("sums of features", std::sqrt(4.5), 1.0);   // all of it
//   moments.sigma();              // what the noise in a total deviates by
//   plan.releases();              // for the result, the page and the budget file
//
// The accountant is zero-concentrated differential privacy: every release costs rho, and these add up, also
// over rounds that depend on earlier ones.
#pragma once

#include <string>
#include <vector>

#include "choir/base/types.h"
#include "choir/learn/privacy/privacy_options.h"

namespace choir {

// One sum over the network, once, under noise.
struct Release {
  std::string what;        // "sums of features"
  double sensitivity = 0;  // L2, of all its entries together, when one sample is replaced by another
  double rho = 0;          // what it costs

  double sigma() const;  // standard deviation of the noise in each entry of the total, at least
};

// Of a network: nodes in league could subtract their own noise, so the others' must be enough.
Index assumed_colluders(Index nodes);  // a fifth of them, one at least; none of a single node

class PrivacyPlan {
 public:
  // Throws Error(InvalidArgument) for options that ask for no privacy, or that are none.
  PrivacyPlan(const PrivacyOptions& options, Index nodes);

  // What the whole run may cost.
  double rho() const { return rho_; }
  // Takes that share of rho(). Throws Error(InvalidArgument) if more than all of it would be taken.
  Release release(std::string what, double sensitivity, double share);
  const std::vector<Release>& releases() const { return releases_; }

  Index nodes() const { return nodes_; }
  // Of the noise in each entry of a total, what one node adds: sigma^2 / (nodes - colluders).
  double share_of_variance() const;

 private:
  double rho_ = 0;
  double taken_ = 0;  // shares
  Index nodes_ = 1;
  std::vector<Release> releases_;
};

}  // namespace choir
