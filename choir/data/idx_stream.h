// Rows of an idx file, a few at a time.
#pragma once

#include <filesystem>
#include <memory>

#include "choir/data/row_source.h"

namespace choir {

std::unique_ptr<RowSource> open_idx_rows(const std::filesystem::path& path);

}  // namespace choir
