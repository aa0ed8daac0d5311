// A word that nobody else can guess, and that never comes twice: for names of files and of runs.
#pragma once

#include <string>

namespace choir {

std::string random_word();  // 32 hexadecimal digits, from the system's randomness

}  // namespace choir
