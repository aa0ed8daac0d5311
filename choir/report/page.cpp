#include "choir/report/page.h"

#include <string_view>

#include "choir/base/error.h"
#include "choir/report/page_template.h"

namespace choir {
namespace {

constexpr std::string_view place_of_document = "<script type=\"application/json\" id=\"run\">{}</script>";
constexpr std::string_view before = "<script type=\"application/json\" id=\"run\">";
constexpr std::string_view after = "</script>";

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
  const std::string_view page = page_template();
  const std::size_t place = page.find(place_of_document);
  if (place == std::string_view::npos)
    throw Error(ErrorCategory::Internal, "the page has no place for a run");
  // File names may be in any encoding.
  const std::string json = document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string whole(page.substr(0, place));
  whole.append(before).append(harmless(json)).append(after);
  whole.append(page.substr(place + place_of_document.size()));
  return whole;
}

}  // namespace choir
