// What is in a data set, for people: shape, type, range, what is missing, how the labels are spread.
//
//   const DataInfo info = describe(read_dataset(source, {.allow_not_finite = true}));
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "choir/data/dataset.h"

namespace choir {

struct DataInfo {
  std::string source;
  std::string type;  // of the elements in the file
  Index samples = 0;
  Index features = 0;
  std::optional<double> minimum;  // of the finite values; none if there are none
  std::optional<double> maximum;
  std::optional<double> mean;
  Index nan_count = 0;
  Index infinite_count = 0;
  Index constant_features = 0;                 // with one value in all samples
  std::map<std::int64_t, Index> label_counts;  // empty without labels
};

DataInfo describe(const Dataset& dataset);

}  // namespace choir
