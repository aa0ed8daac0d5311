// Labels as the user typed them, and --select-labels.
//
//   const Dataset some = selected(read_dataset(file, {.labels = labels}), "0,3,5,8");
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/data/dataset.h"

namespace choir::cli {

// "0,3,5,8". Throws Error(InvalidArgument) naming the option for what is no label.
std::vector<std::int64_t> parse_labels(const char* option, const std::string& text);

// The samples with one of these labels; all of them if the text is empty. Throws Error(InvalidArgument) for
// what is no label, and for labels that no sample has.
Dataset selected(Dataset dataset, const std::string& labels);

}  // namespace choir::cli
