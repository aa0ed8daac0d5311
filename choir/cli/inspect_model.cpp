#include "choir/cli/inspect_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/base/text.h"
#include "choir/report/text_table.h"

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Contribution {
  std::int64_t node;
  std::int64_t samples;
};

std::vector<std::int64_t> integers(const ModelFile& file, const std::string& parameter) {
  const auto found = file.parameters.find(parameter);
  if (found == file.parameters.end()) return {};
  std::vector<std::int64_t> values;
  for (const std::string_view word : split(found->second, ','))
    values.push_back(parse_integer(word).value_or(-1));
  return values;
}

// Whose samples are among the points of an answer; nothing if the file does not say or is not to be believed.
std::vector<Contribution> contributions(const ModelFile& file, const std::string& answer, Index points) {
  const auto nodes = integers(file, "neighborhood"), samples = integers(file, "samples");
  const std::size_t count = answer == "neighborhood" ? nodes.size() : answer == "own" ? 1 : 0;
  if (nodes.size() != samples.size() || count > nodes.size()) return {};
  std::vector<Contribution> result;
  std::int64_t left = points;
  for (std::size_t i = 0; i < count; ++i) {
    if (nodes[i] < 0 || samples[i] < 0 || samples[i] > left) return {};
    left -= samples[i];
    result.push_back({nodes[i], samples[i]});
  }
  return result;
}

Json list(const Vector& values) { return Json(std::vector<double>(values.begin(), values.end())); }

// What every kind of model has.
template <class AnyModel>
Json common(std::string_view kind, const AnyModel& model) {
  return {{"kind", kind},
          {"features", model.features()},
          {"n_components", model.eigenvalues.size()},
          {"training_samples", model.training_samples},
          {"divide", model.preprocessing.divide},
          {"standardize", to_string(model.preprocessing.standardize)},
          {"eigenvalues", list(model.eigenvalues)},
          {"explained_variance_ratio", list(model.explained_variance_ratio())}};
}

Json answer_json(const KernelModel& model, const ModelFile& file, const std::string& name) {
  Json json = common("kernel", model);
  const Index points = model.points.cols();
  json["kernel"] = describe(model.kernel);
  json["centred"] = !model.mean_weights.isZero(0);
  json["expansion_points"] = points;
  Index raw = points == model.training_samples ? points : 0;
  if (const auto parts = contributions(file, name, points); !parts.empty()) {
    raw = 0;
    for (const auto& [node, samples] : parts) {
      json["samples_of"].push_back({{"node", node}, {"samples", samples}});
      raw += samples;
    }
  }
  json["raw_samples"] = raw;
  if (model.overlap.size() > 0) json["squared_lengths"] = list(model.overlap.diagonal());
  return json;
}

Json answer_json(const LinearModel& model, const ModelFile&, const std::string&) {
  return common("linear", model);
}

Json answer_json(const FeatureModel& model, const ModelFile&, const std::string&) {
  Json json = common("features", model);
  json["kernel"] = describe(model.kernel);
  json["random_features"] = model.random_features.count;
  json["seed"] = model.random_features.seed;
  return json;
}

Json answer_json(const LinearPart& model, const ModelFile&, const std::string&) {
  Json json = common("linear-part", model);
  json["columns"] = model.columns;
  return json;
}

Json answer_json(const KernelPart& model, const ModelFile&, const std::string&) {
  Json json = common("kernel-part", model);
  json["kernel"] = describe(model.kernel);
  json["columns"] = model.columns;
  json["raw_samples"] = model.points.cols();
  json["has_answer"] = model.has_answer();
  return json;
}

Json answer_json(const KernelMachine& model, const ModelFile&, const std::string&) {
  return {{"kind", "kernel-machine"},
          {"features", model.features()},
          {"training_samples", model.training_samples},
          {"divide", model.preprocessing.divide},
          {"standardize", to_string(model.preprocessing.standardize)},
          {"kernel", describe(model.kernel)},
          {"loss", model.loss},
          {"classes", model.classes},
          {"expansion_points", model.points.cols()},
          {"raw_samples", model.points.cols()}};
}

Json answer_json(const ClusterModel& model, const ModelFile&, const std::string&) {
  return {{"kind", "clusters"},
          {"features", model.features()},
          {"training_samples", model.training_samples},
          {"divide", model.preprocessing.divide},
          {"standardize", to_string(model.preprocessing.standardize)},
          {"kernel", describe(model.kernel)},
          {"clusters", model.clusters()},
          {"dimension", model.dimension()},
          {"landmarks", model.points.cols()},
          {"raw_samples", 0}};
}

std::string preprocessing_words(const Json& model) {
  std::string words;
  if (model["divide"] != 1.0) words += fmt::format(", values divided by {}", model["divide"].get<double>());
  if (model["standardize"] != "none")
    words += fmt::format(", standardized by {}", model["standardize"].get<std::string>());
  return words;
}

// " of node 3", " of nodes 3 (100), 1 (80) and 12 more"
std::string owner_words(const Json& owners) {
  constexpr std::size_t most = 8;
  if (owners.size() == 1) return fmt::format(" of node {}", owners[0]["node"].get<Index>());
  std::string words = " of nodes";
  for (std::size_t i = 0; i < std::min(most, owners.size()); ++i)
    words += fmt::format("{} {} ({})", i == 0 ? "" : ",", owners[i]["node"].get<Index>(),
                         owners[i]["samples"].get<Index>());
  if (owners.size() > most) words += fmt::format(" and {} more", owners.size() - most);
  return words;
}

std::string point_words(const Json& model) {
  const auto points = model["expansion_points"].get<Index>(), raw = model["raw_samples"].get<Index>();
  std::string words =
      fmt::format("carries {} points of {} numbers each", points, model["features"].get<Index>());
  if (raw == 0) return words;
  if (!model.contains("samples_of")) {
    words += ": the training samples themselves";
  } else {
    words += fmt::format(": {} training samples{}", raw, owner_words(model["samples_of"]));
    if (points > raw) words += fmt::format(" and {} landmarks", points - raw);
  }
  return words + ", so share this file as you would the data";
}

std::string kernel_words(const Json& model) {
  std::string words =
      fmt::format("kernel {}, {}; {}", model["kernel"].get<std::string>(),
                  model["centred"].get<bool>() ? "centred" : "not centred", point_words(model));
  if (!model.contains("squared_lengths")) return words;
  words += "\n  scores of new points are shrunk: ||w||^2 =";
  for (const auto& length : model["squared_lengths"]) words += " " + number(length.get<double>());
  return words + " per component";
}

// "columns 0 to 4, 7, 9 to 12 and 30 more of the whole data"
std::string column_words(const std::vector<std::int64_t>& columns) {
  constexpr int most = 8;  // runs of neighbouring columns
  if (columns.empty()) return "which columns of the whole data they are the file does not say";
  std::string words = "columns";
  std::size_t first = 0;
  for (int run = 0; run < most && first < columns.size(); ++run) {
    std::size_t last = first;
    while (last + 1 < columns.size() && columns[last + 1] == columns[last] + 1) ++last;
    words += fmt::format("{} {}", run == 0 ? "" : ",", columns[first]);
    if (last > first) words += fmt::format(" to {}", columns[last]);
    first = last + 1;
  }
  if (first < columns.size()) words += fmt::format(" and {} more", columns.size() - first);
  return words + " of the whole data";
}

constexpr const char* needs_others =
    "\n  only the parts of all nodes together answer: choir transform --model 'model-{node}.npz'";

std::string linear_part_words(const Json& model) {
  return fmt::format("one party's part: its own coordinates alone ({}); carries no sample{}",
                     column_words(model["columns"].get<std::vector<std::int64_t>>()), needs_others);
}

std::string kernel_part_words(const Json& model) {
  return fmt::format(
      "one party's part of kernel {}: its own features alone ({}) of {} training samples, so share this file "
      "as "
      "you would the data\n  {}{}",
      model["kernel"].get<std::string>(), column_words(model["columns"].get<std::vector<std::int64_t>>()),
      model["raw_samples"].get<Index>(),
      model["has_answer"].get<bool>()
          ? "has the components: scores are computed here"
          : "without the components: it adds to sums, scores are computed elsewhere",
      needs_others);
}

// "labels -1, 2 and 5", "labels 0, 1, 2, 3, 4, 5, 6, 7 and 92 more"
std::string target_words(const std::vector<std::int64_t>& classes) {
  constexpr std::size_t most = 10;
  if (classes.empty()) return "predicts values";
  const std::size_t named = std::min(most, classes.size());
  std::string words = classes.size() == 1 ? "predicts label" : "predicts labels";
  for (std::size_t k = 0; k < named; ++k) {
    const bool last = k > 0 && k + 1 == classes.size();
    words += fmt::format("{} {}", k == 0 ? "" : last ? " and" : ",", classes[k]);
  }
  return classes.size() > named ? words + fmt::format(" and {} more", classes.size() - named) : words;
}

std::string machine_words(const Json& model) {
  const auto points = model["expansion_points"].get<Index>();
  const std::string carried =
      points == 0
          ? "carries no sample: it has learned nothing yet"
          : fmt::format(
                "carries {} training sample{} of {} numbers each, so share this file as you would the data",
                points, points == 1 ? "" : "s", model["features"].get<Index>());
  return fmt::format("kernel {}, {} loss; {}\n  {}{}: choir predict", model["kernel"].get<std::string>(),
                     model["loss"].get<std::string>(), carried,
                     target_words(model["classes"].get<std::vector<std::int64_t>>()),
                     model["loss"] == "logistic" ? ", and how likely each is" : "");
}

std::string cluster_words(const Json& model) {
  const auto landmarks = model["landmarks"].get<Index>();
  const std::string embedding =
      landmarks > 0 ? fmt::format("{} landmarks, means of training samples", landmarks) : "random features";
  return fmt::format("kernel {}, {} clusters of samples embedded in {} dimensions by {}",
                     model["kernel"].get<std::string>(), model["clusters"].get<Index>(),
                     model["dimension"].get<Index>(), embedding);
}

std::string kind_words(const Json& model) {
  if (model["kind"] == "clusters") return cluster_words(model);
  if (model["kind"] == "kernel-machine") return machine_words(model);
  if (model["kind"] == "kernel") return kernel_words(model);
  if (model["kind"] == "linear-part") return linear_part_words(model);
  if (model["kind"] == "kernel-part") return kernel_part_words(model);
  if (model["kind"] == "linear") return "directions in the space of the data; carries no sample";
  return fmt::format("kernel {}, directions among {} random features drawn from seed {}; carries no sample",
                     model["kernel"].get<std::string>(), model["random_features"].get<Index>(),
                     model["seed"].get<std::uint64_t>());
}

bool has_components(const Json& model) { return model.value("n_components", Index{0}) > 0; }

std::string size_words(const Json& model) {
  const auto features = model["features"].get<Index>();
  if (!has_components(model)) return fmt::format("{} feature{}", features, features == 1 ? "" : "s");
  return fmt::format("{} components of {} features", model["n_components"].get<Index>(), features);
}

std::string variance_words(const Json& model) {
  if (!has_components(model)) return "";
  double explained = 0;
  for (const auto& ratio : model["explained_variance_ratio"]) explained += ratio.get<double>();
  return fmt::format("; they explain {:.1f}% of the variance", 100 * explained);
}

std::string answer_words(const std::string& name, const Json& model) {
  return fmt::format("answer '{}': {}{}, fitted to {} samples{}\n  {}", name, size_words(model),
                     preprocessing_words(model), model["training_samples"].get<std::uint64_t>(),
                     variance_words(model), kind_words(model));
}

}  // namespace

Json to_json(const ModelFile& file) {
  Json answers = Json::object();
  for (const auto& [name, model] : file.answers) {
    answers[name] = std::visit([&](const auto& any) { return answer_json(any, file, name); }, model);
  }
  return {{"method", file.method}, {"choir", file.choir_version},   {"node", file.node},
          {"use", file.use},       {"parameters", file.parameters}, {"answers", std::move(answers)}};
}

std::string model_words(const std::string& path, const Json& json) {
  std::string text =
      fmt::format("{}: a model of {} (node {}), written by choir {}", path, json["method"].get<std::string>(),
                  json["node"].get<int>(), json["choir"].get<std::string>());
  if (json["answers"].size() > 1)
    text += fmt::format("\nit has {} answers; '{}' is used unless --use names another",
                        json["answers"].size(), json["use"].get<std::string>());
  for (const auto& [name, model] : json["answers"].items()) text += "\n" + answer_words(name, model);
  return text;
}

}  // namespace choir::cli
