// Rows with targets that lie in a source of their own, read side by side.
#pragma once

#include <memory>

#include "choir/data/row_source.h"

namespace choir {

// Throws Error(BadData) if the targets are more than one number a row, or, where both know it, if there are
// not as many as samples; otherwise reading does, at the end.
std::unique_ptr<RowSource> with_targets(std::unique_ptr<RowSource> samples,
                                        std::unique_ptr<RowSource> targets);

}  // namespace choir
