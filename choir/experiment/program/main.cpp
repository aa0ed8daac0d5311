// The program `choir-experiments`: the papers' figures and our own, as tables and pictures.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/experiment/contents.h"
#include "choir/experiment/experiment.h"
#include "choir/experiment/experiment_files.h"
#include "choir/linalg/blas.h"
#include "choir/report/circumstances.h"
#include "choir/report/text_table.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Arguments {
  std::string id;
  std::string data;
  std::string out;
  Index seeds = 5;
  int threads = 0;
  bool quick = false;
  bool force = false;
  bool quiet = false;
  bool json = false;
};

void print(const std::string& text) {
  std::fputs((text + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void note(const Arguments& arguments, const std::string& sentence) {
  if (!arguments.quiet) std::fputs(fmt::format("choir: {}\n", sentence).c_str(), stderr);
}

// Where it is, in one line of a terminal that the next one wipes.
Watch watch_for(const Arguments& arguments) {
  if (arguments.quiet || isatty(STDERR_FILENO) == 0) return {};
  return {.progress =
              [](const Progress& at) {
                std::fputs(fmt::format("\r\033[K{} {}/{}\r", at.stage, at.done, at.total).c_str(), stderr);
              },
          .stop = {}};
}

void list_experiments(const Arguments& arguments) {
  Json json = Json::array();
  TextTable table({"experiment", "shows"});
  for (const Experiment& experiment : all_experiments()) {
    json.push_back({{"experiment", experiment.id}, {"shows", experiment.shows}});
    table.add_row({experiment.id, experiment.shows});
  }
  print(arguments.json ? json.dump(2) : table.text());
}

std::string cell_text(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const double value = std::get<double>(cell);
  return value == value ? short_number(value) : "-";
}

std::string text_of(const DataTable& data) {
  TextTable table(data.columns());
  for (const std::vector<Cell>& row : data.rows()) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) cells.push_back(cell_text(cell));
    table.add_row(std::move(cells));
  }
  return table.text();
}

// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string command_for(const std::string& id, const Arguments& arguments) {
  std::string command = "choir-experiments " + id;
  if (arguments.quick) command += " --quick";
  if (!arguments.quick) command += fmt::format(" --seeds {}", arguments.seeds);
  if (arguments.threads != 0) command += fmt::format(" --threads {}", arguments.threads);
  if (!arguments.data.empty()) command += " --data " + shell_word(arguments.data);
  return command + " --out " + shell_word(arguments.out);
}

// Runs one, writes its files, and shows its tables unless JSON is wanted. Returns the JSON.
Json run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                    const Arguments& arguments) {
  const std::string started = time_now();
  const Stopwatch watch;
  const ExperimentResult result = experiment.run(options);
  const ExperimentRun run{.choir_version = CHOIR_VERSION,
                          .command = command_for(experiment.id, arguments),
                          .started = started,
                          .versions = versions(CHOIR_VERSION),
                          .seconds = watch.seconds()};
  const auto file = write_experiment(arguments.out, experiment, options, result, run);
  write_contents(arguments.out);
  if (!arguments.json) {
    print(fmt::format("{}: {}", experiment.id, experiment.shows));
    for (const DataTable& summary : result.summaries) print("\n" + text_of(summary));
    print("");
  }
  for (const std::string& sentence : result.notes) note(arguments, sentence);
  note(arguments, fmt::format("{:.1f} s; {} and the files beside it", run.seconds, file.string()));
  return to_json(experiment, options, result, run);
}

std::vector<Experiment> chosen(const std::string& id) {
  if (id == "all") return all_experiments();
  return {find_experiment(id)};
}

void run_chosen(const Arguments& arguments) {
  const std::vector<Experiment> experiments = chosen(arguments.id);
  if (arguments.out.empty()) {
    throw Error(ErrorCategory::InvalidArgument, "--out is missing: say which folder the results go to");
  }
  const ExperimentOptions options{.quick = arguments.quick,
                                  .seeds = arguments.seeds,
                                  .threads = arguments.threads,
                                  .data = arguments.data,
                                  .watch = watch_for(arguments),
                                  .say = [&](const std::string& sentence) { note(arguments, sentence); }};
  validate(options);
  for (const Experiment& experiment : experiments) {
    if (!arguments.force) refuse_existing(arguments.out, experiment.id);
  }
  Json json = Json::array();
  for (const Experiment& experiment : experiments)
    json.push_back(run_experiment(experiment, options, arguments));
  note(arguments, fmt::format("pages: {}", (fs::path(arguments.out) / "index.html").string()));
  if (arguments.json) print(json.dump(2));
}

void add_options(CLI::App& app, Arguments& arguments) {
  app.footer(
      "Example:\n  choir-experiments list\n  choir-experiments consensus-kpca/fig3 --out runs/experiments");
  app.option_defaults()->always_capture_default();
  app.add_option("ID", arguments.id, "list, all, or an experiment that the list has")->required();
  app.add_flag("--quick", arguments.quick,
               "small sizes, one seed, images of datasets/digits.npz: seconds, and no download");
  app.add_option("--seeds", arguments.seeds, "how often it is repeated");
  app.add_option("--threads", arguments.threads, "0 means all cores")->check(CLI::Range(0, 4096));
  app.add_option("--data", arguments.data,
                 "folder of mnist/, which `choir data get mnist` fetches (data); with --quick of digits.npz "
                 "(datasets)");
  app.add_option(
      "--out", arguments.out,
      "folder of the results: ID.csv, ID.json, ID.svg, ID.html, a page with all of them, and index.html");
  app.add_flag("--force", arguments.force, "replace earlier results");
  app.add_flag("--quiet,-q", arguments.quiet, "no progress and no notes");
  app.add_flag("--json", arguments.json, "print JSON instead of tables");
}

int run(int argc, char** argv) {
  CLI::App app("choir-experiments: the papers' figures and our own, as tables and pictures",
               "choir-experiments");
  Arguments arguments;
  add_options(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    fail(ErrorCategory::InvalidArgument, "{}; see choir-experiments --help", error.what());
  }
  if (arguments.id == "list") {
    list_experiments(arguments);
  } else {
    run_chosen(arguments);
  }
  return 0;
}

}  // namespace
}  // namespace choir

int main(int argc, char** argv) {
  try {
    const choir::SingleThreadedBlas scope;  // work is split above BLAS, never inside
    return choir::run(argc, argv);
  } catch (const std::exception& error) {
    std::fputs(fmt::format("choir: {}\n", error.what()).c_str(), stderr);
    return 2;
  }
}
