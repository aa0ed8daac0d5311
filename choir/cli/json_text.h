// JSON as text, of names in any encoding: what is no UTF-8 becomes a sign that says so. The names of files
// need not be UTF-8, and a run must not end for them.
//
//   console.print(json_text(about, 2));
#pragma once

#include <string>

namespace choir::cli {

template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// The same for one text.
std::string readable(const std::string& bytes);

}  // namespace choir::cli
