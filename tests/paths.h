// Where the tests' files are. Told here and not to every test's compiler: objects of two checkouts are then
// the same, and ccache has to make them once.
#pragma once

#include <string>

namespace choir {

std::string fixtures_folder();  // tests/fixtures
std::string datasets_folder();  // datasets

}  // namespace choir
