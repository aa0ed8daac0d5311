// Handwritten digits for the nodes of a network, drawn anew for each seed.
//
//   const Dataset digits = read_digits(options, {0, 3, 5, 8});
//   const DigitDeal deal{.nodes = 20, .samples = 100, .labels = 4};
//   const std::vector<Samples> shards = deal_digits(digits, deal, seed);
#pragma once

#include <cstdint>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/experiment/experiment.h"

namespace choir {

// MNIST's training images, raw pixels 0 .. 255; with options.quick the 2,000 of digits.npz. Only those of the
// digits asked for; all if none is. Throws as fetch_mnist and read_dataset do.
Dataset read_digits(const ExperimentOptions& options, const std::vector<std::int64_t>& digits);

struct DigitDeal {
  Index nodes = 20;
  Index samples = 100;  // of a node
  Index labels = 4;     // different digits at a node, in equal counts
};

// Without replacement. Throws Error(InvalidArgument) if there are not enough images.
std::vector<Samples> deal_digits(const Dataset& digits, const DigitDeal& deal, std::uint64_t seed);

}  // namespace choir
