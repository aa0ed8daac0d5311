#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/base/stopwatch.h"
#include "choir/cli/circumstances.h"
#include "choir/cli/commands.h"
#include "choir/cli/config.h"
#include "choir/cli/table.h"
#include "choir/experiment/contents.h"
#include "choir/experiment/experiment.h"
#include "choir/experiment/experiment_files.h"

namespace choir::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ExperimentArguments {
  std::string id;
  std::string data;
  std::string out;
  Index seeds = 5;
  int threads = 0;
  bool quick = false;
  bool force = false;
};

void list_experiments(Console& console) {
  Json json = Json::array();
  Table table({"experiment", "shows"});
  for (const Experiment& experiment : all_experiments()) {
    json.push_back({{"experiment", experiment.id}, {"shows", experiment.shows}});
    table.add_row({experiment.id, experiment.shows});
  }
  console.print(console.json() ? json.dump(2) : table.text());
}

std::string cell_text(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const double value = std::get<double>(cell);
  return value == value ? number(value) : "-";
}

std::string text_of(const DataTable& data) {
  Table table(data.columns());
  for (const std::vector<Cell>& row : data.rows()) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) cells.push_back(cell_text(cell));
    table.add_row(std::move(cells));
  }
  return table.text();
}

// Runs one, writes its files, and shows its tables unless JSON is wanted. Returns the JSON.
Json run_experiment(const Experiment& experiment, const ExperimentOptions& options, const std::string& out,
                    const std::string& command, Console& console) {
  const std::string started = time_now();
  const Stopwatch watch;
  const ExperimentResult result = experiment.run(options);
  const ExperimentRun run{.choir_version = CHOIR_VERSION,
                          .command = command,
                          .started = started,
                          .versions = versions(),
                          .seconds = watch.seconds()};
  const auto file = write_experiment(out, experiment, options, result, run);
  write_contents(out);
  if (!console.json()) {
    console.print(fmt::format("{}: {}", experiment.id, experiment.shows));
    for (const DataTable& summary : result.summaries) console.print("\n" + text_of(summary));
    console.print("");
  }
  for (const std::string& note : result.notes) console.note(note);
  console.note(fmt::format("{:.1f} s; {} and the files beside it", run.seconds, file.string()));
  return to_json(experiment, options, result, run);
}

std::vector<Experiment> chosen(const std::string& id) {
  if (id == "all") return all_experiments();
  return {find_experiment(id)};
}

void run_chosen(const ExperimentArguments& arguments, const CLI::App& command, Console& console) {
  const std::vector<Experiment> experiments = chosen(arguments.id);
  if (arguments.out.empty()) {
    throw Error(ErrorCategory::InvalidArgument, "--out is missing: say which folder the results go to");
  }
  const ExperimentOptions options{.quick = arguments.quick,
                                  .seeds = arguments.seeds,
                                  .threads = arguments.threads,
                                  .data = arguments.data,
                                  .watch = console.watch(),
                                  .say = [&](const std::string& sentence) { console.note(sentence); }};
  validate(options);
  for (const Experiment& experiment : experiments) {
    if (!arguments.force) refuse_existing(arguments.out, experiment.id);
  }
  Json json = Json::array();
  for (const Experiment& experiment : experiments) {
    json.push_back(run_experiment(experiment, options, arguments.out,
                                  given_command("choir experiment " + experiment.id, command), console));
  }
  console.note(fmt::format("pages: {}", (fs::path(arguments.out) / "index.html").string()));
  if (console.json()) console.print(json.dump(2));
}

}  // namespace

void add_experiment_command(CLI::App& app, Session& session) {
  CLI::App* command = add_command(
      app, session, "experiment", "the papers' figures and our own, as tables and pictures",
      "choir experiment list\n  choir experiment consensus-kpca/fig3 --out runs/experiments", Prints::table);
  auto arguments = std::make_shared<ExperimentArguments>();
  command->add_option("ID", arguments->id, "list, all, or an experiment that the list has")->required();
  command->add_flag("--quick", arguments->quick,
                    "small sizes, one seed, images of datasets/digits.npz: seconds, and no download");
  command->add_option("--seeds", arguments->seeds, "how often it is repeated");
  command->add_option("--threads", arguments->threads, "0 means all cores")->check(not_negative());
  command->add_option("--data", arguments->data,
                      "folder of mnist/, fetched if missing (data); with --quick of digits.npz (datasets)");
  command->add_option(
      "--out", arguments->out,
      "folder of the results: ID.csv, ID.json, ID.svg, ID.html, a page with all of them, and index.html");
  command->add_flag("--force", arguments->force, "replace earlier results");
  command->callback([arguments, command, &session] {
    Console console(session.console);
    if (arguments->id == "list") return list_experiments(console);
    run_chosen(*arguments, *command, console);
  });
}

}  // namespace choir::cli
