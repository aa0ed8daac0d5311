#include "choir/cli/fit_run.h"

#include <fmt/format.h>

#include "choir/base/memory.h"
#include "choir/cli/config.h"
#include "choir/kernel/bandwidth.h"

namespace choir::cli {
namespace {

FitOptions& with_config(CLI::App& command, FitOptions& options) {
  if (!options.config.empty()) apply_config(command, options.config);
  require_complete(options);
  return options;
}

}  // namespace

FitRun::FitRun(CLI::App& command, FitOptions& options, Session& session)
    : command_(command),
      options_(with_config(command, options)),
      session_(session),
      console_(session.console),
      folder_(RunFolder::create(options.out, {.force = options.force})) {}

Watch FitRun::watch() {
  return {.progress =
              [this, draw = console_.watch().progress](const Progress& progress) {
                if (progress.measure > 0) {
                  record({{"stage", progress.stage},
                          {"node", 0},
                          {"iteration", progress.done},
                          {"residual", progress.measure}});
                }
                draw(progress);
              },
          .stop = {}};
}

void FitRun::record(const nlohmann::ordered_json& line) { metrics_ += line.dump() + "\n"; }

double FitRun::resolve_gamma(const Samples& samples) {
  if (!uses_gamma(parse_kernel_kind(options_.kernel))) return 1;
  const double gamma = choir::resolve_gamma(parse_gamma(options_.gamma), samples, options_.random_state);
  resolved_["gamma"] = fmt::format("{}", gamma);
  return gamma;
}

void FitRun::save(Index node, const std::string& use, Model model) {
  ModelFile file;
  file.method = command_.get_name();
  file.node = static_cast<int>(node);
  file.use = use;
  for (const CLI::Option* option : command_.get_options()) {
    if (option->count() > 0 && !option->get_lnames().empty()) {
      file.parameters[option->get_lnames().front()] = option->results().back();
    }
  }
  for (const auto& [name, value] : resolved_) file.parameters[name] = value;
  file.answers.emplace(use, std::move(model));
  save_model(folder_.file(fmt::format("model-{}.npz", node)), file);
}

void FitRun::finish(RunResult result, const std::string& table) {
  result.choir_version = CHOIR_VERSION;
  result.method = command_.get_name();
  if (options_.tol == 0) result.converged = std::nullopt;  // a run of fixed length
  result.engine = options_.engine;
  result.random_state = options_.random_state;
  result.memory_peak_bytes = peak_memory();
  result.total_seconds = clock_.seconds();
  for (const std::string& note : result.notes) console_.warn(note);

  const std::string json = to_json(result).dump(2);
  folder_.write("config.resolved.toml",
                fmt::format("# choir {} fit {}\n{}", CHOIR_VERSION, command_.get_name(),
                            resolved_config(command_, resolved_)));
  folder_.write("metrics.jsonl", metrics_);
  folder_.write("result.json", json + "\n");
  folder_.commit();

  console_.print(console_.json() ? json : table);
  console_.note(fmt::format("{:.2f} s, peak {:.0f} MiB; the run is in {}", result.total_seconds,
                            static_cast<double>(result.memory_peak_bytes) / 1048576, options_.out));
  if (result.converged == false) {
    console_.warn(fmt::format("not converged: residual {:.1e}, tol {:.1e}; raise --max-iter or --tol",
                              result.residual.value_or(0), options_.tol));
    session_.exit_code = not_converged;
  }
}

}  // namespace choir::cli
