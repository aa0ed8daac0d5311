#include "choir/report/page.h"

#include "choir/base/error.h"
#include "choir/report/page_template.h"

namespace choir {
namespace {

// JSON is the same with its less-than signs escaped, and HTML then finds no tag or comment in it.
std::string harmless(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string page_of(const nlohmann::ordered_json& document) {
  std::string page(page_template());
  const std::size_t element = page.find(page_element);
  if (element == std::string::npos) throw Error(ErrorCategory::Internal, "the page has no place for a run");
  // File names may be in any encoding.
  const std::string json = document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  page.replace(element + page_element.find("{}"), 2, harmless(json));
  return page;
}

bool is_page(std::string_view text) {
  return text.find(page_element.substr(0, page_element.find("{}"))) != std::string_view::npos;
}

}  // namespace choir
