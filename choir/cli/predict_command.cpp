// `choir predict`: labels or values of new samples, by a model that was fitted to targets.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/cli/apply_data.h"
#include "choir/cli/commands.h"
#include "choir/cli/table.h"
#include "choir/data/writer.h"
#include "choir/metrics/classification.h"

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PredictArguments {
  std::string model;
  std::string data;
  std::string out;
  std::string use;
  std::string labels;
  bool probabilities = false;
  bool scores = false;
  int threads = 0;
};

std::vector<std::int64_t> whole_numbers(const Vector& values) {
  std::vector<std::int64_t> result;
  for (const double value : values) result.push_back(static_cast<std::int64_t>(value));
  return result;
}

// Writes what was asked for and returns what to say of it.
std::string write_answer(const KernelMachine& machine, const Samples& samples,
                         const PredictArguments& arguments) {
  if (!arguments.probabilities && !arguments.scores && !machine.classes.empty()) {
    write_labels(arguments.out, whole_numbers(machine.predict(samples, arguments.threads)));
    return fmt::format("{} labels", samples.cols());
  }
  const Matrix values = arguments.probabilities ? machine.probabilities(samples, arguments.threads)
                                                : machine.decide(samples, arguments.threads);
  write_matrix(arguments.out, values);
  return fmt::format("{} x {} {}", values.rows(), values.cols(),
                     arguments.probabilities ? "probabilities"
                     : arguments.scores      ? "scores"
                                             : "values");
}

// How well the predictions hit the truth, if it was given.
Json measured(const KernelMachine& machine, const Dataset& dataset, int threads) {
  Json json = {{"samples", dataset.size()}};
  if (!dataset.labels.empty())
    json["accuracy"] = accuracy(dataset.labels, whole_numbers(machine.predict(dataset.samples, threads)));
  if (!dataset.values.empty()) {
    const Eigen::Map<const Vector> truth(dataset.values.data(), std::ssize(dataset.values));
    json["rmse"] = root_mean_squared_error(truth, machine.predict(dataset.samples, threads));
  }
  return json;
}

std::string words_of(const Json& measured) {
  for (const char* name : {"accuracy", "rmse"}) {
    if (measured.contains(name))
      return fmt::format("{} {} over {} samples", name, number(measured[name].get<double>()),
                         measured["samples"].get<Index>());
  }
  return {};
}

void predict(const PredictArguments& arguments, Console& console) {
  const ModelFile file = load_model(arguments.model);
  const Model& model = file.answer(arguments.use);
  const KernelMachine& machine = require_machine(model);
  const Dataset dataset = read_data_for(model, arguments.model, arguments.data,
                                        {.labels = arguments.labels, .real_labels = machine.classes.empty()});
  const std::string written = write_answer(machine, dataset.samples, arguments);
  console.note(fmt::format("{} in {}", written, arguments.out));
  const Json json = measured(machine, dataset, arguments.threads);
  if (console.json())
    console.print(json.dump(2));
  else if (const std::string words = words_of(json); !words.empty())
    console.print(words);
}

}  // namespace

void add_predict_command(CLI::App& app, Session& session) {
  CLI::App* command = add_command(
      app, session, "predict", "labels or values of new samples, by a model fitted to targets",
      "choir predict --model runs/stream/model-0.npz --data new.csv --labels kind --out predicted.csv",
      Prints::table);
  auto arguments = std::make_shared<PredictArguments>();
  command->add_option("--model", arguments->model, "model-<node>.npz of a run of online-kernel")->required();
  command->add_option("--data", arguments->data, "samples, one a row")->required();
  command->add_option("--out", arguments->out, "file to write: .npy, .npz, .csv or .tsv")->required();
  command->add_option(
      "--labels", arguments->labels,
      "the true ones, to measure by: a csv column, or a file; prints accuracy, or rmse of values");
  CLI::Option* probabilities = command->add_flag("--probabilities", arguments->probabilities,
                                                 "of each class, a column each; logistic loss only");
  command->add_flag("--scores", arguments->scores, "what the classes are chosen by, a column each")
      ->excludes(probabilities);
  command->add_option("--use", arguments->use, "which of the model's answers: own, neighborhood, shared");
  command->add_option("--threads", arguments->threads, "0: all cores")->check(not_negative());
  command->callback([arguments, &session] {
    Console console(session.console);
    predict(*arguments, console);
  });
}

}  // namespace choir::cli
