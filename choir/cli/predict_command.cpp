// `choir predict`: labels or values of new samples, by a model that was fitted to targets; or their clusters.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/cli/command.h"
#include "choir/data/writer.h"
#include "choir/metrics/classification.h"
#include "choir/metrics/clustering.h"
#include "choir/report/text_table.h"
#include "choir/run/apply_data.h"

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PredictArguments : OptionTarget {
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
  std::vector<std::string> words;
  for (const char* name : {"accuracy", "rmse", "nmi", "ari"}) {
    if (measured.contains(name))
      words.push_back(fmt::format("{} {}", name, short_number(measured[name].get<double>())));
  }
  if (words.empty()) return {};
  return fmt::format("{} over {} samples", fmt::join(words, ", "), measured["samples"].get<Index>());
}

void say(const std::string& written, const Json& measured, const PredictArguments& arguments,
         Console& console) {
  console.note(fmt::format("{} in {}", written, arguments.out));
  if (console.json()) {
    console.print(measured.dump(2));
  } else if (const std::string words = words_of(measured); !words.empty()) {
    console.print(words);
  }
}

void predict_targets(const KernelMachine& machine, const Dataset& dataset, const PredictArguments& arguments,
                     Console& console) {
  const std::string written = write_answer(machine, dataset.samples, arguments);
  say(written, measured(machine, dataset, arguments.threads), arguments, console);
}

// The number of the nearest centroid, or the squared distances to all. Names of clusters mean nothing, so
// accuracy is that of the best naming.
void predict_clusters(const ClusterModel& model, const Dataset& dataset, const PredictArguments& arguments,
                      Console& console) {
  if (arguments.probabilities) {
    throw Error(ErrorCategory::InvalidArgument,
                "clusters have no probabilities; --scores writes the squared distances to the centroids");
  }
  const std::vector<std::int64_t> clusters = model.predict(dataset.samples, arguments.threads);
  std::string written = fmt::format("{} clusters", clusters.size());
  if (arguments.scores) {
    write_matrix(arguments.out, model.distances(dataset.samples, arguments.threads));
    written = fmt::format("{} x {} squared distances", clusters.size(), model.clusters());
  } else {
    write_labels(arguments.out, clusters);
  }
  Json json = {{"samples", dataset.size()}};
  if (!dataset.labels.empty()) {
    json["accuracy"] = clustering_accuracy(dataset.labels, clusters);
    json["nmi"] = normalized_mutual_info(dataset.labels, clusters);
    json["ari"] = adjusted_rand_index(dataset.labels, clusters);
  }
  say(written, json, arguments, console);
}

void predict(const PredictArguments& arguments, Console& console) {
  const ModelFile file = load_model(arguments.model);
  const Model& model = file.answer(arguments.use);
  const ClusterModel* clusters = std::get_if<ClusterModel>(&model);
  const bool of_values = clusters == nullptr && require_machine(model).classes.empty();
  const Dataset dataset = read_data_for(model, arguments.model, arguments.data,
                                        {.labels = arguments.labels, .real_labels = of_values});
  if (clusters != nullptr) {
    predict_clusters(*clusters, dataset, arguments, console);
  } else {
    predict_targets(require_machine(model), dataset, arguments, console);
  }
}

}  // namespace

Command predict_command() {
  using Arguments = PredictArguments;
  Command command{
      .name = "predict",
      .about = "labels or values of new samples by a model fitted to targets, or their clusters",
      .example =
          "choir predict --model runs/stream/model-0.npz --data new.csv --labels kind --out predicted.csv"};
  command.prints_table = true;
  OptionGroup<Arguments> group(command.options, "Prediction");
  group.add("model", &Arguments::model, "model-<node>.npz of a run of online-kernel or federated-kmeans")
      .named("FILE")
      .needed();
  group.add("data", &Arguments::data, "samples, one per row").named("FILE").needed();
  group.add("out", &Arguments::out, "a file to write: .npy, .npz, .csv or .tsv").named("FILE").needed();
  group
      .add("labels", &Arguments::labels,
           "the true labels or values, a csv column or a file; accuracy (or rmse) is printed")
      .named("FILE");
  group.add("probabilities", &Arguments::probabilities,
            "write the probability of each class, a column each; logistic loss only");
  group.add("scores", &Arguments::scores,
            "write what the classes are chosen by, a column each; for clusters the squared distances");
  group.add("use", &Arguments::use, "which of the model's answers: own, neighborhood, shared")
      .named("ANSWER");
  group.add("threads", &Arguments::threads, "threads; 0: all cores").at_least(0);
  command.defaults = std::make_shared<Arguments>();
  command.run = [table = command.options](const Call& call, Session& session) {
    const auto arguments = arguments_of<Arguments>(table, call);
    if (arguments.probabilities && arguments.scores) {
      throw Error(ErrorCategory::InvalidArgument, "--scores excludes --probabilities; omit one of them");
    }
    Console console(session.console);
    predict(arguments, console);
  };
  return command;
}

}  // namespace choir::cli
