// A document as one HTML file that needs nothing else: script, style and data are in it.
//
//   write_file_atomically("report.html", page_of(run_document("runs/digits")));
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace choir {

// Whatever text the document has cannot end the element that it is in: every '<' is written as its escape.
std::string page_of(const nlohmann::ordered_json& document);

// Whether that is what page_of made, now or earlier.
bool is_page(std::string_view text);

}  // namespace choir
