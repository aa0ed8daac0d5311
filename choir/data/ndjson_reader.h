// Whole texts with one JSON value per line; ndjson_stream.h says what is understood.
#pragma once

#include <string>
#include <string_view>

#include "choir/data/dataset.h"

namespace choir {

// Targets become labels, or values if options.real_labels. Those that nobody asked for, options.labels being
// empty, are left out if they are no whole numbers.
Dataset decode_ndjson(std::string_view text, const std::string& name, const ReadOptions& options = {});

// Whether a text starts as such lines do.
bool looks_like_ndjson(std::string_view text);

}  // namespace choir
