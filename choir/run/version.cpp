#include "choir/run/version.h"

namespace choir {

std::string version() { return CHOIR_VERSION; }

}  // namespace choir
