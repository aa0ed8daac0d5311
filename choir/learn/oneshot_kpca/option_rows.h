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
  factors.add("estimator", &Options::estimator,
              "content of a message: product (the node's kernel matrix; rbf and linear), distances "
              "(its distances and inner products; any kernel except laplacian), or auto (the one that sends "
              "less for the same accuracy)");
  factors
      .add("local-components", &Options::local_components, "adaptive",
           "eigenvectors that a node sends: a number, or adaptive (those above --epsilon, and at least 5 "
           "more than the components; without a centre 60, or 5 more than the components)")
      .at_least(1);
  factors
      .add("epsilon", &Options::epsilon, "auto",
           "smallest eigenvalue that is sent by --local-components adaptive, as a share of the first; auto: "
           "5e-4, or 0.04 for the linear kernel and for --estimator distances")
      .above(0)
      .below(1);
  factors.add("no-raw-equivalent", &Options::no_raw_equivalent,
              "refuse to send as many numbers as a node's raw features have: they reveal the features up to "
              "a rotation");
}

template <class Rows>
void add_fusion_rows(Rows fusion) {
  fusion
      .add("fusion", &Options::fusion,
           "center (every node sends one message to one node, which alone gets the answer), tree or gossip "
           "(no centre; every node gets the answer)")
      .in_short_help();
  fusion
      .add("center", &Options::center, "the node that gets the messages and the answer, with --fusion center")
      .named("NODE")
      .at_least(0);
  fusion
      .add("messages-per-node", &Options::messages_per_node,
           "largest number of messages that a node sends, with --fusion gossip")
      .at_least(1);
}

}  // namespace choir::oneshot_kpca
