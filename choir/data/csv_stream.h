// Rows of a csv or tsv text, as csv_reader.h understands them, a few at a time.
#pragma once

#include <memory>
#include <string>

#include "choir/data/row_source.h"
#include "choir/data/target_rule.h"
#include "choir/data/text_window.h"

namespace choir {

// `target` names the column of targets; if there is no such column the rows have none, and the caller may
// look for a file.
std::unique_ptr<RowSource> open_csv_rows(TextWindow window, const std::string& target,
                                         const TargetRule& rule = {});

}  // namespace choir
