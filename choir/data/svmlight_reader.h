// svmlight (libsvm) files: one sample per line, `label index:value index:value ... # comment`.
//
//   Dataset spam = decode_svmlight(text, "spam.svm");
//
// Indices ascend within a line. They count from 0 if any line has an index 0 and from 1 otherwise;
// `qid:7` after the label is read past. Samples are dense: as many features as the largest index says.
#pragma once

#include <string>
#include <string_view>

#include "choir/data/dataset.h"

namespace choir {

Dataset decode_svmlight(std::string_view text, const std::string& name, const ReadOptions& options = {});

// Whether a line reads as svmlight: a number, then at least one index:value.
bool looks_like_svmlight(std::string_view line);

}  // namespace choir
