// Rows of a text with one JSON value per line:
//
//   {"x": [0.5, 2], "y": 1}          other members are passed over
//   [0.5, 2, 1]                      the last number is the target
//
// All lines are of the first one's kind and width.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "choir/data/row_source.h"
#include "choir/data/target_rule.h"
#include "choir/data/text_window.h"

namespace choir {

// Whether a line is a whole record of such a text.
bool is_json_record(std::string_view line);

// `target` is the member that holds the target, "y" if empty. If the first line has no such member the rows
// have no targets, and the caller may look for a file.
std::unique_ptr<RowSource> open_ndjson_rows(TextWindow window, const std::string& target,
                                            const TargetRule& rule = {});

}  // namespace choir
