// `choir fit METHOD`: a job out of options, run, saved and shown.
#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/cli/command.h"
#include "choir/cli/dashboard.h"
#include "choir/cli/failures.h"
#include "choir/cli/launcher.h"
#include "choir/run/result_json.h"
#include "choir/run/run.h"
#include "choir/run/words.h"

namespace choir::cli {
namespace {

// What is seen of a run while it runs.
class Spectator {
 public:
  Spectator(const ConsoleOptions& options, bool dashboard) : console_(options) {
    if (!dashboard || console_.quiet()) return;
    dashboard_ = std::make_unique<Dashboard>(console_.is_terminal() ? Dashboard::Place::terminal
                                                                    : Dashboard::Place::plain);
    console_.make_room_by([this](const auto& write) { dashboard_->aside(write); });
  }

  Console& console() { return console_; }

  Watch watch() {
    Watch watch = console_.watch();
    if (dashboard_) watch.progress = [this](const Progress& progress) { dashboard_->progress(progress); };
    return watch;
  }

  RunHooks hooks() {
    RunHooks hooks;
    hooks.note = [this](const std::string& sentence) { console_.note(sentence); };
    hooks.save_requests = save_requests;
    hooks.last_words = [](const std::string& sentence) { complain(sentence); };
    if (dashboard_)
      hooks.audit = [this](NodeId from, NodeId, const Message& message) { dashboard_->sent(from, message); };
    return hooks;
  }

  void look_away() {
    console_.make_room_by({});
    dashboard_.reset();
  }

 private:
  Console console_;
  std::unique_ptr<Dashboard> dashboard_;
};

void show(const Result& result, const FolderSettings& folder, Console& console) {
  for (const std::string& note : result.notes) console.warn(note);
  console.print(console.json() ? json_text(to_json(result), 2) : result.text);
  console.note(fmt::format("{:.2f} s, peak {:.0f} MiB; the run is in {}", result.total_seconds,
                           static_cast<double>(result.memory_peak_bytes) / 1048576, folder.out));
  if (folder.report) console.note(fmt::format("page: {}/report.html", folder.out));
  if (result.converged == false) console.warn(not_converged_words(result));
  if (!result.assessment) return;
  for (const std::string& weakness : result.assessment->weaknesses) console.warn(weakness);
}

void fit(const MethodInfo& info, const Call& call, Session& session) {
  Job job;
  job.method = info.name;
  for (const GivenOption& option : call.options) job.options.emplace_back(option.name, option.values);
  const std::unique_ptr<Method> method = configured_method(job);
  const Settings& asked = method->settings();
  const FolderSettings folder = asked.folder;
  if (!folder.plan) require_options(info.options, asked);
  require_launcher(asked, session.arguments);
  ConsoleOptions console = session.console;
  console.quiet = console.quiet || !speaks_at_first(asked);
  Spectator spectator(console, folder.watch);
  Run run(std::move(job), spectator.watch(), spectator.hooks());
  report_failures(run.processes(), session, [&] {
    if (folder.plan) {
      const std::string words = run.plan().words();
      if (run.processes().speaks()) spectator.console().print(words);
      return;
    }
    const Result result = run.execute();
    spectator.look_away();
    result.save(folder.out, {.replace = folder.force, .with_page = folder.report});
    if (!result.good()) session.exit_code = not_converged;
    if (run.processes().speaks()) show(result, folder, spectator.console());
  });
}

Command command_of(const MethodInfo& info) {
  Command command{.name = info.name, .about = info.about, .example = info.example};
  command.options = info.options;
  command.prints_table = true;
  const std::shared_ptr<Method> plain = info.start();
  command.defaults = std::shared_ptr<const OptionTarget>(plain, &plain->settings());
  command.run = [&info](const Call& call, Session& session) { fit(info, call, session); };
  return command;
}

}  // namespace

Command fit_command() {
  Command command{.name = "fit", .about = "learn from data and write a run folder"};
  command.commands_are = "method";
  for (const MethodInfo* info : all_methods()) command.commands.push_back(command_of(*info));
  return command;
}

}  // namespace choir::cli
