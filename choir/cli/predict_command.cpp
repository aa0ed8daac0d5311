// `choir predict`: labels or values of new samples, by a model that was fitted to targets; or their clusters.
#include <filesystem>
#include <fstream>
#include <memory>
#include <stop_token>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/cli/command.h"
#include "choir/codec/files.h"
#include "choir/data/stream.h"
#include "choir/data/writer.h"
#include "choir/metrics/classification.h"
#include "choir/metrics/clustering.h"
#include "choir/report/text_table.h"
#include "choir/run/apply_data.h"
#include "choir/run/predict_stream.h"

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
  bool follow = false;
  BadRecord on_bad_record = BadRecord::error;
  int threads = 0;

  bool is_streamed() const { return follow || is_pipe(data); }
};

std::vector<std::int64_t> whole_numbers(const Vector& values) {
  std::vector<std::int64_t> result;
  for (const double value : values) result.push_back(static_cast<std::int64_t>(value));
  return result;
}

// By their names, if they have some.
void write_predicted_labels(const KernelMachine& machine, const std::vector<std::int64_t>& labels,
                            const std::string& out) {
  if (machine.class_names.empty()) return write_labels(out, labels);
  std::vector<std::string> words;
  for (const std::int64_t label : labels) words.push_back(machine.name_of(label));
  write_words(out, words);
}

// Writes what was asked for and returns what to say of it.
std::string write_answer(const KernelMachine& machine, const Samples& samples,
                         const PredictArguments& arguments) {
  if (!arguments.probabilities && !arguments.scores && !machine.classes.empty()) {
    write_predicted_labels(machine, whole_numbers(machine.predict(samples, arguments.threads)),
                           arguments.out);
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

// Where the lines of a stream go: a file that grows, or standard output.
class PredictionLines {
 public:
  PredictionLines(const std::string& out, Console& console) : out_(out), console_(console) {
    if (is_shown()) return;
    const std::string extension = std::filesystem::path(out).extension().string();
    if (extension == ".npy" || extension == ".npz") {
      fail(ErrorCategory::InvalidArgument,
           "predictions of a stream are lines of text; name a .csv or .tsv file instead of {}", out);
    }
    // A pipe or a device stays what it is.
    if (!std::filesystem::exists(out) || std::filesystem::is_regular_file(out))
      write_file_atomically(out, "", Privacy::owner_only);
    file_.open(out, std::ios::app);
    require_written();
  }

  bool is_shown() const { return out_.empty() || out_ == "-"; }
  void write(const std::string& line) {
    if (is_shown()) return console_.print(line);
    file_ << line << std::endl;  // at once: somebody may wait for it
    require_written();
  }

 private:
  void require_written() const {
    if (!file_) fail(ErrorCategory::Io, "cannot write {}", out_);
  }

  std::string out_;
  Console& console_;
  std::ofstream file_;
};

StreamPrediction stream_prediction(const PredictArguments& arguments, const std::stop_token& stop) {
  return {.model = arguments.model,
          .use = arguments.use,
          .data = arguments.data,
          .labels = arguments.labels,
          .what = arguments.probabilities ? Predicted::probabilities
                  : arguments.scores      ? Predicted::scores
                                          : Predicted::answers,
          .on_bad_record = arguments.on_bad_record,
          .follow = arguments.follow,
          .threads = arguments.threads,
          .stop = stop};
}

void predict_as_it_comes(const PredictArguments& arguments, Console& console) {
  PredictionLines lines(arguments.out, console);
  const StreamHooks hooks{.write = [&](const std::string& line) { lines.write(line); },
                          .note = [&](const std::string& sentence) { console.warn(sentence); }};
  const StreamedPredictions done = predict_stream(stream_prediction(arguments, console.watch().stop), hooks);
  Json json = {{"samples", done.samples}, {"bad_records", done.bad_records}, {"reloads", done.reloads}};
  if (done.accuracy) json["accuracy"] = *done.accuracy;
  if (done.rmse) json["rmse"] = *done.rmse;
  console.note(fmt::format("{} predictions, {} bad records skipped, {} newer models", done.samples,
                           done.bad_records, done.reloads));
  // Standard output has one line per sample.
  if (lines.is_shown()) {
    if (const std::string words = words_of(json); !words.empty()) console.note(words);
    return;
  }
  say(fmt::format("{} predictions", done.samples), json, arguments, console);
}

void require_whole(const PredictArguments& arguments) {
  if (arguments.out.empty())
    throw Error(ErrorCategory::InvalidArgument, "--out is missing: name a file for the predictions");
  if (arguments.on_bad_record == BadRecord::skip) {
    throw Error(ErrorCategory::InvalidArgument,
                "--on-bad-record skip reads records one by one; use --follow, or a pipe: --data -");
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
  group.add("data", &Arguments::data, "samples, one per row; -: standard input, line by line")
      .named("FILE")
      .needed();
  group
      .add("out", &Arguments::out,
           "a file to write: .npy, .npz, .csv or .tsv; a stream's predictions go to standard output without "
           "it")
      .named("FILE");
  group.add(
      "follow", &Arguments::follow,
      "predict line by line, wait for more at the end of a file, and load the model again when it changes");
  group.add("on-bad-record", &Arguments::on_bad_record,
            "what becomes of a line that cannot be used, in a stream: error ends it, skip passes over it");
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
    if (arguments.is_streamed()) return predict_as_it_comes(arguments, console);
    require_whole(arguments);
    predict(arguments, console);
  };
  return command;
}

}  // namespace choir::cli
