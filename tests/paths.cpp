#include "paths.h"

namespace choir {

std::string fixtures_folder() { return CHOIR_FIXTURES; }
std::string datasets_folder() { return CHOIR_DATASETS; }

}  // namespace choir
