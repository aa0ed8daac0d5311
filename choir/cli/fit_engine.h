// From options to an engine, and the one place where a run's failure is reported.
//
//   fit_on_engine(*command, options, session, Network::some,
//                 [&](ProcessGroup& processes) { fit(options, processes); });
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "choir/cli/commands.h"
#include "choir/cli/fit_options.h"
#include "choir/cli/process_group.h"

namespace choir::cli {

// Starts the engine that the options name, and does `work` in every process of it. An error of `work` is
// reported by one process, while all are still there; the exit code goes to the session.
void run_on_engine(const FitOptions& options, Session& session,
                   const std::function<void(ProcessGroup&)>& work);

enum class Network { none, some };  // what a method has

// The same for `choir fit`, which completes the options first.
void fit_on_engine(CLI::App& command, FitOptions& options, Session& session, Network network,
                   const std::function<void(ProcessGroup&)>& fit);

}  // namespace choir::cli
