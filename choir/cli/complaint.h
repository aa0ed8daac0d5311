// What the user reads when something went wrong: one sentence on stderr.
//
//   try { ... } catch (...) {
//     const Error error = current_error();
//     complain(error.what());
//     return exit_code_of(error);
//   }
#pragma once

#include <string>

#include "choir/base/error.h"

namespace choir::cli {

void complain(const std::string& sentence);  // "choir: sentence"

// The exception that is being handled, in words for the program's user, whatever its type.
Error current_error();

}  // namespace choir::cli
