// The rows of a table that set these options: what each is called, and one line of help. `Rows` is whatever
// makes such a table (run/option.h), which nothing here needs to know.
#pragma once

#include "choir/learn/oneshot_kpca/options.h"

namespace choir::oneshot_kpca {

template <class Rows>
void add_key_rows(Rows keys) {
  keys.add("max-keys", &Options::max_keys,
           "most keys that a node may bring with --key, refused beyond: the names that it can try on the "
           "others")
      .at_least(1);
}

template <class Rows>
void add_factor_rows(Rows factors) {
  factors.add(
      "estimator", &Options::estimator,
      "product (of the nodes' kernel matrices; rbf and linear), distances (any kernel of distances or inner "
      "products but laplacian), or auto (whichever needs to send less for the same accuracy)");
  factors
      .add("local-components", &Options::local_components, "adaptive",
           "eigenvectors that a node sends: a number, or adaptive (those that matter, see --epsilon, "
           "and at least 5 more than the components); without a centre, adaptive: 60, or 5 more than the "
           "components")
      .at_least(1);
  factors
      .add("epsilon", &Options::epsilon, "auto",
           "adaptive: smallest eigenvalue that matters, as a share of the first; auto: 5e-4, or 0.04 for the "
           "linear kernel and for --estimator distances")
      .above(0)
      .below(1);
  factors.add("no-raw-equivalent", &Options::no_raw_equivalent,
              "refuse to send as much as a node's raw features, which shows them up to a rotation");
}

template <class Rows>
void add_fusion_rows(Rows fusion) {
  fusion
      .add("fusion", &Options::fusion,
           "center (one message per node to one node, which alone gets the answer), tree or gossip (every "
           "node "
           "gets it)")
      .in_short_help();
  fusion.add("center", &Options::center, "the node that fuses").named("NODE").at_least(0);
  fusion
      .add("messages-per-node", &Options::messages_per_node,
           "most messages that a node sends; with --fusion gossip")
      .at_least(1);
}

}  // namespace choir::oneshot_kpca
