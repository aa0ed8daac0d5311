// One run of `choir fit`: its folder, its clock, its metrics, and what is shown at the end. With several
// processes each has one and all call the same things; what exists once the speaker writes and shows.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "choir/base/stopwatch.h"
#include "choir/cli/commands.h"
#include "choir/cli/dashboard.h"
#include "choir/cli/embedding_facts.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_options.h"
#include "choir/cli/process_group.h"
#include "choir/model/model_file.h"
#include "choir/report/result.h"
#include "choir/report/run_folder.h"

namespace choir::cli {

class FitRun {
 public:
  // Makes the run folder, before any work. The options must be complete.
  FitRun(CLI::App& command, const FitOptions& options, Session& session, ProcessGroup& processes);

  Watch watch();        // draws, and records residuals in metrics.jsonl
  Watch quiet_watch();  // draws only
  // Of an engine: as the options say, stopped with the program, seen by the dashboard if there is one.
  RunOptions run_options();
  void record(const nlohmann::ordered_json& line);             // one line of metrics.jsonl
  void resolve(const std::string& option, std::string value);  // what an option came to stand for
  double resolve_gamma(const Samples& samples);                // the number that the run's gamma stands for
  void note(const std::string& text) { console_.note(text); }  // said now, before the end
  // Completes the file with the method and its options, and writes it as the model of file.node.
  void save(ModelFile file);
  void save(Index node, const std::string& use, Model model);  // with one answer
  // Some of the samples, to be drawn as the nodes' models see them; before they go to the nodes. Samples stay
  // where they are: of several processes the one that writes draws its own.
  void keep_some(const FitData& data);
  // The scores of samples that are in the answer, for the same.
  void draw_scores(const EmbeddingFacts::Scores& answer);
  // NAME-<node>.npy: whole numbers of a node's samples, in the order of its shard.
  void save_numbers(Index node, const std::string& name, std::span<const std::int64_t> numbers);

  // Completes and writes the result, puts the folder in place, shows the table of it (or the result as JSON),
  // and sets the exit code. All processes have saved their models by then.
  using MakeTable = std::string (*)(const RunResult& result);
  void finish(RunResult result, MakeTable table);

 private:
  void describe_call(RunResult& result);
  void complete(RunResult& result);
  void write(const std::string& result_json);

  CLI::App& command_;
  const FitOptions& options_;
  Session& session_;
  ProcessGroup& processes_;
  Console console_;
  std::unique_ptr<Dashboard> dashboard_;  // with --watch
  std::optional<RunFolder> folder_;       // the speaker's
  std::filesystem::path staging_;         // where all write until the folder is put in place
  Stopwatch clock_;
  std::string metrics_;
  std::map<std::string, std::string> resolved_;
  EmbeddingFacts embedding_;
  std::string started_;
};

}  // namespace choir::cli
