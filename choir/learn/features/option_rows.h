// The rows of a table that say how many features the nodes share, for the methods that share any. `Rows` is
// whatever makes such a table (run/option.h).
#pragma once

namespace choir {

template <class Options, class Rows>
void add_feature_size_rows(Rows& rows) {
  rows.add("n-landmarks", &Options::n_landmarks, "number of landmarks, all nodes together").at_least(1);
  rows.add("min-count", &Options::min_count,
           "smallest number of samples of the network that a landmark is the mean of (the others are drawn), "
           "or "
           "that a category of a table has (the others are one)")
      .at_least(1);
  rows.add("n-features", &Options::n_features, "number of random features").at_least(1);
}

}  // namespace choir
