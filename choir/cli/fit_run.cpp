#include "choir/cli/fit_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/text.h"
#include "choir/cli/config.h"
#include "choir/cli/json_text.h"
#include "choir/data/writer.h"
#include "choir/kernel/bandwidth.h"
#include "choir/report/circumstances.h"
#include "choir/report/page.h"
#include "choir/report/run_document.h"

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

ConsoleOptions console_of(const Session& session, const ProcessGroup& processes) {
  ConsoleOptions options = session.console;
  options.quiet = options.quiet || !processes.speaks();
  return options;
}

std::string values_of(const CLI::Option& option) {
  return fmt::format("{}", fmt::join(option.results(), ","));
}

// How far from its end a run stopped, by whatever its method stops by, if it says so.
std::string distance_words(const RunResult& result, double tol) {
  if (result.residual) return fmt::format("residual {:.1e}, tol {:.1e}", *result.residual, tol);
  if (!result.change) return fmt::format("tol {:.1e}", tol);
  // Nodes that gossip have settled when they were calm for a while, not once.
  if (*result.change < tol)
    return fmt::format("change {:.1e} is below tol {:.1e}, but not for long enough", *result.change, tol);
  return fmt::format("change {:.1e}, tol {:.1e}", *result.change, tol);
}

}  // namespace

FitRun::FitRun(CLI::App& command, const FitOptions& options, Session& session, ProcessGroup& processes)
    : command_(command),
      options_(options),
      session_(session),
      processes_(processes),
      console_(console_of(session, processes)),
      started_(time_now()) {
  staging_ = processes_.from_speaker([&] {
    folder_.emplace(RunFolder::create(options.out, {.force = options.force}));
    return folder_->staging().string();
  });
  session_.unfinished = staging_;
  if (options.dashboard && !console_.quiet()) {
    dashboard_ = std::make_unique<Dashboard>(console_.is_terminal() ? Dashboard::Place::terminal
                                                                    : Dashboard::Place::plain);
    console_.make_room_by([this](const auto& write) { dashboard_->aside(write); });
  }
  processes_.together([&] {
    if (std::filesystem::is_directory(staging_)) return;
    fail(ErrorCategory::Io,
         "a rank does not see the output folder {}; --out must be on a file system that all ranks share",
         options.out);
  });
}

Watch FitRun::quiet_watch() {
  Watch shown = console_.watch();
  if (dashboard_) shown.progress = [this](const Progress& progress) { dashboard_->progress(progress); };
  return shown;
}

RunOptions FitRun::run_options() {
  RunOptions run = options_.run_options({.progress = {}, .stop = console_.watch().stop});
  if (dashboard_) {
    run.audit = [this](NodeId from, NodeId, const Message& message) { dashboard_->sent(from, message); };
  }
  return run;
}

Watch FitRun::watch() {
  const Watch shown = quiet_watch();
  return {.progress =
              [this, draw = shown.progress](const Progress& progress) {
                if (progress.measure > 0) {
                  record({{"stage", progress.stage},
                          {"node", 0},
                          {"iteration", progress.done},
                          {"residual", progress.measure}});
                }
                draw(progress);
              },
          .stop = shown.stop};
}

void FitRun::resolve(const std::string& option, std::string value) { resolved_[option] = std::move(value); }

void FitRun::record(const nlohmann::ordered_json& line) { metrics_ += line.dump() + "\n"; }

double FitRun::resolve_gamma(const Samples& samples) {
  if (!uses_gamma(parse_kernel_kind(options_.kernel))) return 1;
  const double gamma = choir::resolve_gamma(parse_gamma(options_.gamma), samples, options_.random_state);
  resolve("gamma", fmt::format("{}", gamma));
  return gamma;
}

void FitRun::keep_some(const FitData& data) {
  embedding_.keep(data.own, data.shards, data.labels);
  if (processes_.size() > 1) embedding_.say_whose(data.own);
}

void FitRun::draw_scores(const EmbeddingFacts::Scores& answer) { embedding_.add_scores(answer); }

void FitRun::save(ModelFile file) {
  embedding_.add(static_cast<NodeId>(file.node), file.answer());
  file.method = command_.get_name();
  for (const CLI::Option* option : command_.get_options()) {
    if (option->count() > 0 && !option->get_lnames().empty()) {
      file.parameters[option->get_lnames().front()] = readable(values_of(*option));
    }
  }
  for (const auto& [name, value] : resolved_) file.parameters[name] = readable(value);
  save_model(staging_ / fmt::format("model-{}.npz", file.node), file);
}

void FitRun::save(Index node, const std::string& use, Model model) {
  ModelFile file;
  file.node = static_cast<int>(node);
  file.use = use;
  file.answers.emplace(use, std::move(model));
  save(std::move(file));
}

void FitRun::save_numbers(Index node, const std::string& name, std::span<const std::int64_t> numbers) {
  write_labels(staging_ / fmt::format("{}-{}.npy", name, node), numbers);
}

// What it takes to do it again.
void FitRun::describe_call(RunResult& result) {
  const std::string launcher = processes_.size() > 1 ? fmt::format("mpirun -n {} ", processes_.size()) : "";
  result.extra["command"] = given_command(launcher + "choir fit " + command_.get_name(), command_);
  std::string note = "The folder it names must be new: give another --out, or --force.";
  if (options_.data == "-") note += " The samples came from standard input and are wanted there again.";
  result.extra["command_note"] = std::move(note);
  result.extra["ranks"] = processes_.size();
  Json options = Json::object();
  for (const auto& [name, value] : used_options(command_)) options[name] = value;
  result.extra["options"] = std::move(options);
  result.extra["resolved"] = resolved_;
  result.extra["started"] = started_;
  result.extra["versions"] = versions();
}

void FitRun::complete(RunResult& result) {
  result.choir_version = CHOIR_VERSION;
  result.method = command_.get_name();
  if (options_.tol == 0) result.converged = std::nullopt;  // a run of fixed length
  result.engine = options_.engine;
  result.random_state = options_.random_state;
  for (const std::string& peak : processes_.gather(fmt::format("{}", peak_memory()))) {
    const auto bytes = static_cast<std::uint64_t>(parse_integer(peak).value_or(0));
    result.memory_peak_bytes = std::max(result.memory_peak_bytes, bytes);
  }
  result.total_seconds = clock_.seconds();
  describe_call(result);
  if (Json drawn = embedding_.json(); !drawn.is_null()) result.extra["embedded_samples"] = std::move(drawn);
}

void FitRun::write(const std::string& result_json) {
  folder_->write("config.resolved.toml",
                 fmt::format("# choir {} fit {}\n{}", CHOIR_VERSION, command_.get_name(),
                             resolved_config(command_, resolved_)));
  folder_->write("metrics.jsonl", metrics_);
  folder_->write("result.json", result_json + "\n");
  if (options_.report) folder_->write("report.html", page_of(run_document(folder_->staging())));
  folder_->commit();
}

void FitRun::finish(RunResult result, MakeTable table) {
  console_.make_room_by({});
  dashboard_.reset();
  complete(result);
  if (result.converged == false) session_.exit_code = not_converged;
  const std::string json = json_text(to_json(result), 2);
  processes_.together([&] {
    if (processes_.speaks()) write(json);
  });
  if (!processes_.speaks()) return;
  for (const std::string& note : result.notes) console_.warn(note);
  console_.print(console_.json() ? json : table(result));
  console_.note(fmt::format("{:.2f} s, peak {:.0f} MiB; the run is in {}", result.total_seconds,
                            static_cast<double>(result.memory_peak_bytes) / 1048576, options_.out));
  if (result.converged == false) {
    console_.warn(fmt::format("not converged: {}; raise {} or --tol", distance_words(result, options_.tol),
                              options_.longer));
  }
}

}  // namespace choir::cli
