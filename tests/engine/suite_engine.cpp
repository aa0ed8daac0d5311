#include "engine/suite_engine.h"

namespace choir {

std::unique_ptr<Engine>& suite_engine() {
  static std::unique_ptr<Engine> engine;
  return engine;
}

}  // namespace choir
