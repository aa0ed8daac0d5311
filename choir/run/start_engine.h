// From settings to an engine.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "choir/run/settings.h"
#include "choir/runtime/engine.h"

namespace choir {

// `last_words` is called before the whole job is ended while this process still computes; it may come from
// another thread. Throws Error(InvalidArgument) for options of the simulator without it, Error(Unavailable)
// for an engine that is not built in, Error(Io) for a trace that cannot be written.
std::unique_ptr<Engine> start_engine(const Settings& settings,
                                     std::function<void(const std::string& sentence)> last_words);

}  // namespace choir
