// The rows of a table that set these options: what each is called, and one line of help. `Rows` is whatever
// makes such a table (run/option.h), which nothing here needs to know.
#pragma once

#include "choir/learn/consensus_kpca/options.h"
#include "choir/learn/features/option_rows.h"

namespace choir::consensus_kpca {

template <class Rows>
void add_exchange_rows(Rows exchange) {
  exchange
      .add("share", &Options::share,
           "landmarks are means of samples of the whole network; random-features are sums over all samples; "
           "samples go to neighbours (the paper)")
      .in_short_help();
  exchange
      .add(
          "exchange-noise", &Options::exchange_noise,
          "standard deviation of the noise added to samples before they leave a node; blurs them, guarantees "
          "nothing")
      .at_least(0);
  add_feature_size_rows<Options>(exchange);
  exchange
      .add("landmarks", &Options::landmarks,
           "public points in place of landmarks that are found out; the same at all nodes")
      .named("FILE")
      .own();
  exchange.add("agree", &Options::agree,
               "how sums of features are formed when samples are not exchanged: masked along a tree, or by "
               "consensus or "
               "gossip, which show neighbours a node's own sums");
}

template <class Rows>
void add_consensus_rows(Rows consensus) {
  consensus.add("use", &Options::use, "auto",
                "answer that transform and score use by default; auto: shared, or, with --share samples, "
                "neighborhood where it is expected to be nearer to the central one");
  consensus.add("centering", &Options::centering,
                "subtract the mean of all samples (landmark), of each shard (local), or none");
  consensus.add("z-step", &Options::z_step,
                "form of the z-step: unbiased, or paper (eqs. 10 and 11 as printed)");
  consensus.add("rho", &Options::rho, "penalty: auto (Assumption 2), a number, or schedule (as printed)");
  consensus.add("init", &Options::init,
                "start from kernel PCA of the neighbourhood (gather), of the node's own samples (local), or "
                "random");
  consensus
      .add("guard", &Options::guard, "auto",
           "columns carried in addition to the components; auto: 5, or 0 with --z-step paper")
      .at_least(0);
}

}  // namespace choir::consensus_kpca
