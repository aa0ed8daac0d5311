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
#include "choir/data/answer_file.h"
#include "choir/data/stream.h"
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
  std::string id;
  bool force = false;
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

// Classes, by their names if they have some.
AnswerFile with_classes(AnswerFile answer, const KernelMachine& machine,
                        const std::vector<std::int64_t>& labels) {
  answer.predicted.name = "predicted";
  for (const std::int64_t label : labels) answer.predicted.words.push_back(machine.name_of(label));
  if (machine.class_names.empty()) answer.integers = labels;
  return answer;
}

// A column per class, or one of values.
AnswerFile with_columns(AnswerFile answer, const KernelMachine& machine, Matrix values) {
  for (const std::int64_t label : machine.classes) answer.names.push_back(machine.name_of(label));
  if (machine.classes.empty()) answer.names = {"predicted"};
  answer.values = std::move(values);
  return answer;
}

// Writes what was asked for and returns what to say of it.
std::string write_answer(const KernelMachine& machine, const NewData& data,
                         const PredictArguments& arguments) {
  const Samples& samples = data.samples;
  if (!arguments.probabilities && !arguments.scores && !machine.classes.empty()) {
    write_answer(arguments.out, with_classes(answer_about(data), machine,
                                             whole_numbers(machine.predict(samples, arguments.threads))));
    return fmt::format("{} labels", samples.cols());
  }
  Matrix values = arguments.probabilities ? machine.probabilities(samples, arguments.threads)
                                          : machine.decide(samples, arguments.threads);
  const std::string size = fmt::format("{} x {}", values.rows(), values.cols());
  write_answer(arguments.out, with_columns(answer_about(data), machine, std::move(values)));
  return size + (arguments.probabilities ? " probabilities" : arguments.scores ? " scores" : " values");
}

// How well the predictions hit the truth, if it was given.
Json measured(const KernelMachine& machine, const NewData& data, int threads) {
  Json json = {{"samples", data.samples.cols()}};
  if (!data.labels.empty())
    json["accuracy"] = accuracy(data.labels, whole_numbers(machine.predict(data.samples, threads)));
  if (!data.values.empty()) {
    const Eigen::Map<const Vector> truth(data.values.data(), std::ssize(data.values));
    json["rmse"] = root_mean_squared_error(truth, machine.predict(data.samples, threads));
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

void predict_targets(const KernelMachine& machine, const NewData& data, const PredictArguments& arguments,
                     Console& console) {
  const std::string written = write_answer(machine, data, arguments);
  say(written, measured(machine, data, arguments.threads), arguments, console);
}

// The number of the nearest centroid, or the squared distances to all. Names of clusters mean nothing, so
// accuracy is that of the best naming.
void predict_clusters(const ClusterModel& model, const NewData& data, const PredictArguments& arguments,
                      Console& console) {
  if (arguments.probabilities) {
    throw Error(ErrorCategory::InvalidArgument,
                "clusters have no probabilities; --scores writes the squared distances to the centroids");
  }
  const std::vector<std::int64_t> clusters = model.predict(data.samples, arguments.threads);
  std::string written = fmt::format("{} clusters", clusters.size());
  AnswerFile answer = answer_about(data);
  if (arguments.scores) {
    answer.values = model.distances(data.samples, arguments.threads);
    for (Index k = 1; k <= model.clusters(); ++k) answer.names.push_back(fmt::format("distance_{}", k));
    written = fmt::format("{} x {} squared distances", clusters.size(), model.clusters());
  } else {
    answer.predicted.name = "cluster";
    for (const std::int64_t cluster : clusters) answer.predicted.words.push_back(std::to_string(cluster));
    answer.integers = clusters;
  }
  write_answer(arguments.out, answer);
  Json json = {{"samples", data.samples.cols()}};
  if (!data.labels.empty()) {
    json["accuracy"] = clustering_accuracy(data.labels, clusters);
    json["nmi"] = normalized_mutual_info(data.labels, clusters);
    json["ari"] = adjusted_rand_index(data.labels, clusters);
  }
  say(written, json, arguments, console);
}

void predict(const PredictArguments& arguments, Console& console) {
  const ModelFile file = load_model(arguments.model);
  const Model& model = file.answer(arguments.use);
  const ClusterModel* clusters = std::get_if<ClusterModel>(&model);
  const bool of_values = clusters == nullptr && require_machine(model).classes.empty();
  const NewData data = read_data_for(file, model,
                                     {.model = arguments.model,
                                      .data = arguments.data,
                                      .labels = arguments.labels,
                                      .id = arguments.id,
                                      .real_labels = of_values});
  for (const std::string& note : data.notes) console.warn(note);
  if (clusters != nullptr) {
    predict_clusters(*clusters, data, arguments, console);
  } else {
    predict_targets(require_machine(model), data, arguments, console);
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
           "a file to write: .npy, .npz, .csv, .tsv or .ndjson; a stream's predictions go to standard output "
           "without "
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
  group.add("id", &Arguments::id, "the column that says who each row is, to write beside the answers")
      .named("COLUMN");
  group.add("force", &Arguments::force, "replace the file if it exists");
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
    require_writable(arguments.out, arguments.force);
    predict(arguments, console);
  };
  return command;
}

}  // namespace choir::cli
