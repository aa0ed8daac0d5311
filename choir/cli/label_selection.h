// --select-labels, as the user typed it.
//
//   const Dataset some = selected(read_dataset(file, {.labels = labels}), "0,3,5,8");
#pragma once

#include <string>

#include "choir/data/dataset.h"

namespace choir::cli {

// The samples with one of these labels; all of them if the text is empty. Throws Error(InvalidArgument) for
// what is no label, and for labels that no sample has.
Dataset selected(Dataset dataset, const std::string& labels);

}  // namespace choir::cli
