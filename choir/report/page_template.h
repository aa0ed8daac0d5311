// The page of a report: one HTML file with its script and style in it, which shows the JSON document that
// stands where its placeholder is. Nothing is read from disk at run time; choir/report/page/ has the sources
// and says what the document holds.
//
//   std::string page(page_template());
//   page.replace(page.find(page_element) + page_element.find("{}"), 2, document);
//
// Every `<` in the document has to be written as \u003c. In JSON it can only stand within strings, where that
// means the same; as it is, a browser would take an end tag in a string for that of the element.
#pragma once

#include <string_view>

namespace choir {

// The element around the placeholder {}, which stands in the page once.
inline constexpr std::string_view page_element = R"(<script type="application/json" id="run">{}</script>)";

std::string_view page_template();

}  // namespace choir
