// What the user reads when something went wrong: one sentence on stderr, of one process.
#pragma once

#include <functional>
#include <string>

#include "choir/cli/command.h"
#include "choir/runtime/process_group.h"

namespace choir::cli {

void complain(const std::string& sentence);  // "choir: sentence"

// Does `work` in every process. An error of it is reported by one of them, while all are still there; the
// exit code goes to the session.
void report_failures(ProcessGroup& processes, Session& session, const std::function<void()>& work);

}  // namespace choir::cli
