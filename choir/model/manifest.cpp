#include "choir/model/manifest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/model/kernel_json.h"

namespace choir {
namespace {

using Json = nlohmann::json;

Json format_random_features(const RandomFeaturesOptions& options) {
  return {{"count", options.count}, {"seed", options.seed}, {"orthogonal", options.orthogonal}};
}

Json format_stages(const std::vector<FeatureStage>& stages) {
  Json list = Json::array();
  for (const FeatureStage& stage : stages)
    list.push_back({{"random_features", format_random_features(stage.random)}, {"eta", stage.eta}});
  return list;
}

// The first format whose readers understand the model.
int format_of(const Model& model) {
  if (const auto* machine = std::get_if<KernelMachine>(&model)) {
    const bool plain = !machine->random_features && machine->intercept.size() == 0;
    return plain && machine->class_names.empty() ? 3 : 4;
  }
  if (is_part(model) || std::holds_alternative<ClusterModel>(model)) return 3;
  const auto* kernel = std::get_if<KernelModel>(&model);
  const bool oblique = kernel && kernel->overlap.size() > 0;
  return oblique || std::holds_alternative<FeatureModel>(model) ? 2 : 1;
}

int format_of(const ModelFile& file) {
  int format = 1;
  for (const auto& [name, model] : file.answers) format = std::max(format, format_of(model));
  return format;
}

Json format_answer(const Model& model, int format) {
  return std::visit(
      [&](const auto& any) {
        Json answer = {{"preprocessing",
                        {{"divide", any.preprocessing.divide},
                         {"standardize", to_string(any.preprocessing.standardize)}}},
                       {"training_samples", any.training_samples}};
        if constexpr (requires { any.trace; }) answer["trace"] = any.trace;
        if constexpr (std::is_same_v<std::decay_t<decltype(any)>, KernelModel>) {
          answer["kind"] = "kernel";
          answer["kernel"] = kernel_json<Json>(any.kernel);
          answer["mean_norm"] = any.mean_norm;
          if (format >= 2) answer["overlap"] = any.overlap.size() > 0;
        } else if constexpr (std::is_same_v<std::decay_t<decltype(any)>, FeatureModel>) {
          answer["kind"] = "features";
          answer["kernel"] = kernel_json<Json>(any.kernel);
          answer["random_features"] = format_random_features(any.random_features);
        } else if constexpr (std::is_same_v<std::decay_t<decltype(any)>, LinearPart>) {
          answer["kind"] = "linear-part";
          answer["columns"] = !any.columns.empty();
        } else if constexpr (std::is_same_v<std::decay_t<decltype(any)>, KernelPart>) {
          answer["kind"] = "kernel-part";
          answer["kernel"] = kernel_json<Json>(any.kernel);
          answer["columns"] = !any.columns.empty();
          answer["mean"] = any.mean.size() > 0;
          answer["result"] = any.has_answer();
          if (any.has_answer()) answer["grand_mean"] = any.grand_mean;
        } else if constexpr (std::is_same_v<std::decay_t<decltype(any)>, KernelMachine>) {
          answer["kind"] = "kernel-machine";
          answer["kernel"] = kernel_json<Json>(any.kernel);
          answer["loss"] = any.loss;
          answer["classes"] = !any.classes.empty();
          if (format >= 4) {
            answer["intercept"] = any.intercept.size() > 0;
            if (any.random_features) answer["random_features"] = format_random_features(*any.random_features);
            if (!any.class_names.empty()) answer["class_names"] = any.class_names;
          }
        } else if constexpr (std::is_same_v<std::decay_t<decltype(any)>, ClusterModel>) {
          answer["kind"] = "clusters";
          answer["kernel"] = kernel_json<Json>(any.kernel);
          answer["features"] = any.sample_features;
          answer["stages"] = format_stages(any.stages);
        } else {
          answer["kind"] = "linear";
        }
        return answer;
      },
      model);
}

// A place in the document, with its address for the sentence when something is not as it must be.
class Place {
 public:
  Place(const Json& value, std::string_view file, std::string path)
      : value_(value), file_(file), path_(std::move(path)) {}

  Place operator[](const std::string& key) const {
    need(value_.is_object(), "an object");
    const auto found = value_.find(key);
    if (found == value_.end())
      fail(ErrorCategory::BadData, "{}: manifest.json has no \"{}\"", file_, address(key));
    return {*found, file_, address(key)};
  }
  bool has(const std::string& key) const { return value_.is_object() && value_.contains(key); }
  template <class Visit>
  void for_each_member(Visit&& visit) const {
    need(value_.is_object(), "an object");
    for (const auto& [key, value] : value_.items()) visit(key, Place(value, file_, address(key)));
  }
  template <class Visit>
  void for_each_item(std::size_t most, Visit&& visit) const {
    need(value_.is_array() && value_.size() <= most, fmt::format("a list of at most {}", most));
    for (const Json& item : value_) visit(Place(item, file_, path_));
  }
  std::string text() const {
    need(value_.is_string(), "a text");
    return value_.get<std::string>();
  }
  bool boolean() const {
    need(value_.is_boolean(), "true or false");
    return value_.get<bool>();
  }
  double number() const {
    need(value_.is_number() && std::isfinite(value_.get<double>()), "a finite number");
    return value_.get<double>();
  }
  std::int64_t integer(std::int64_t low, std::int64_t high) const {
    const bool fits =
        value_.is_number_integer() &&
        (!value_.is_number_unsigned() ||
         value_.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    need(fits && value_.get<std::int64_t>() >= low && value_.get<std::int64_t>() <= high,
         fmt::format("an integer from {} to {}", low, high));
    return value_.get<std::int64_t>();
  }
  std::uint64_t bits() const {
    need(value_.is_number_unsigned(), "an integer from 0 to 2^64 - 1");
    return value_.get<std::uint64_t>();
  }
  std::vector<Index> lengths() const {
    need(value_.is_array() && value_.size() <= 2, "a list of one or two lengths");
    std::vector<Index> result;
    for (const Json& length : value_) result.push_back(Place(length, file_, path_).integer(0, max_length));
    return result;
  }
  void need(bool condition, std::string_view what) const {
    if (!condition) fail(ErrorCategory::BadData, "{}: \"{}\" in manifest.json is not {}", file_, path_, what);
  }

  static constexpr std::int64_t max_length = std::numeric_limits<std::int64_t>::max();

 private:
  std::string address(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const Json& value_;
  std::string_view file_;
  std::string path_;
};

constexpr int max_int = std::numeric_limits<int>::max();

Kernel parse_kernel(const Place& place) {
  return {.kind = parse_choice<KernelKind>("kernel", place["kind"].text()),
          .gamma = place["gamma"].number(),
          .degree = static_cast<int>(place["degree"].integer(1, max_int)),
          .coef0 = place["coef0"].number(),
          .normalized = place["normalized"].boolean()};
}

RandomFeaturesOptions parse_random_features(const Place& place) {
  return {.count = place["count"].integer(1, Place::max_length),
          .seed = place["seed"].bits(),
          .orthogonal = place["orthogonal"].boolean()};
}

// Without the arrays of zscore.
Preprocessing parse_preprocessing(const Place& place) {
  Preprocessing preprocessing;
  preprocessing.divide = place["divide"].number();
  preprocessing.standardize = parse_choice<Standardize>("standardize", place["standardize"].text());
  return preprocessing;
}

// What all kinds of components have.
template <class AnyModel>
AnyModel parse_common(const Place& place) {
  AnyModel model;
  model.preprocessing = parse_preprocessing(place["preprocessing"]);
  model.trace = place["trace"].number();
  model.training_samples = place["training_samples"].integer(1, Place::max_length);
  return model;
}

KernelModel parse_kernel_model(const Place& place, std::int64_t format) {
  auto model = parse_common<KernelModel>(place);
  model.kernel = parse_kernel(place["kernel"]);
  model.mean_norm = place["mean_norm"].number();
  if (format >= 2 && place["overlap"].boolean()) model.overlap = Matrix::Zero(1, 1);
  return model;
}

FeatureModel parse_feature_model(const Place& place) {
  auto model = parse_common<FeatureModel>(place);
  model.kernel = parse_kernel(place["kernel"]);
  model.random_features = parse_random_features(place["random_features"]);
  return model;
}

LinearPart parse_linear_part(const Place& place) {
  auto model = parse_common<LinearPart>(place);
  if (place["columns"].boolean()) model.columns = {0};
  return model;
}

KernelPart parse_kernel_part(const Place& place) {
  auto model = parse_common<KernelPart>(place);
  model.kernel = parse_kernel(place["kernel"]);
  if (place["columns"].boolean()) model.columns = {0};
  if (place["mean"].boolean()) model.mean = Vector::Zero(1);
  if (!place["result"].boolean()) return model;
  model.coefficients = Matrix::Zero(1, 1);
  model.grand_mean = place["grand_mean"].number();
  return model;
}

KernelMachine parse_kernel_machine(const Place& place, std::int64_t format) {
  KernelMachine model;
  model.kernel = parse_kernel(place["kernel"]);
  model.preprocessing = parse_preprocessing(place["preprocessing"]);
  model.loss = place["loss"].text();
  if (place["classes"].boolean()) model.classes = {0};
  model.training_samples = place["training_samples"].bits();
  if (format < 4) return model;
  if (place["intercept"].boolean()) model.intercept = Vector::Zero(1);
  if (place.has("random_features")) model.random_features = parse_random_features(place["random_features"]);
  if (!place.has("class_names")) return model;
  constexpr std::size_t most_names = 100'000;
  place["class_names"].for_each_item(most_names,
                                     [&](const Place& name) { model.class_names.push_back(name.text()); });
  return model;
}

// Without the stages' maps.
ClusterModel parse_clusters(const Place& place) {
  constexpr std::size_t most_stages = 900;  // as many arrays as a file may have, and some for the rest
  ClusterModel model;
  model.kernel = parse_kernel(place["kernel"]);
  model.preprocessing = parse_preprocessing(place["preprocessing"]);
  model.sample_features = place["features"].integer(1, Place::max_length);
  model.training_samples = place["training_samples"].integer(1, Place::max_length);
  place["stages"].for_each_item(most_stages, [&](const Place& stage) {
    model.stages.push_back(
        {.random = parse_random_features(stage["random_features"]), .eta = stage["eta"].number(), .map = {}});
  });
  return model;
}

Model parse_answer(const Place& place, std::int64_t format) {
  const std::string kind = place["kind"].text();
  if (kind == "kernel") return parse_kernel_model(place, format);
  if (kind == "features") return parse_feature_model(place);
  if (kind == "linear-part") return parse_linear_part(place);
  if (kind == "kernel-part") return parse_kernel_part(place);
  if (kind == "kernel-machine") return parse_kernel_machine(place, format);
  if (kind == "clusters") return parse_clusters(place);
  place["kind"].need(kind == "linear",
                     "\"kernel\", \"linear\", \"features\", \"linear-part\", \"kernel-part\", "
                     "\"kernel-machine\" or \"clusters\"");
  return parse_common<LinearModel>(place);
}

std::int64_t parse_format(const Place& root, std::string_view name) {
  const std::int64_t format = root["format"].integer(1, Place::max_length);
  if (format > model_format)
    fail(ErrorCategory::BadData, "{}: written by a newer choir (format {}); this one reads formats up to {}",
         name, format, model_format);
  return format;
}

ModelFile parse_file(const Place& root, std::int64_t format) {
  ModelFile file;
  file.choir_version = root["choir"].text();
  file.method = root["method"].text();
  file.node = static_cast<int>(root["node"].integer(0, max_int));
  file.use = root["use"].text();
  root["parameters"].for_each_member(
      [&](const std::string& key, const Place& place) { file.parameters[key] = place.text(); });
  root["answers"].for_each_member([&](const std::string& key, const Place& place) {
    place.need(is_answer_name(key), "a name made of letters, digits, '-' and '_'");
    file.answers[key] = parse_answer(place, format);
  });
  root["use"].need(file.answers.contains(file.use), "the name of one of its answers");
  return file;
}

}  // namespace

bool is_answer_name(std::string_view name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  return !name.empty() && name.size() <= 64 && name.find_first_not_of(allowed) == std::string_view::npos;
}

std::string format_manifest(const ModelFile& file, const std::map<std::string, ManifestEntry>& entries,
                            std::string_view choir_version) {
  const int format = format_of(file);
  Json root = {{"format", format},  {"choir", choir_version}, {"method", file.method},
               {"node", file.node}, {"use", file.use},        {"parameters", file.parameters}};
  for (const auto& [name, model] : file.answers) root["answers"][name] = format_answer(model, format);
  for (const auto& [name, entry] : entries)
    root["entries"][name] = {{"shape", entry.shape}, {"sha256", entry.sha256}};
  try {
    return root.dump(1);
  } catch (const Json::exception&) {
    fail(ErrorCategory::InvalidArgument, "the model's method or parameters are not valid UTF-8 text");
  }
}

Manifest parse_manifest(std::string_view text, std::string_view name) {
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object())
    fail(ErrorCategory::BadData, "{}: manifest.json is not a JSON object; the model is damaged", name);
  const Place root(document, name, "");
  const std::int64_t format = parse_format(root, name);
  Manifest manifest;
  try {
    manifest.file = parse_file(root, format);
  } catch (const Error& error) {
    if (error.category() == ErrorCategory::BadData) throw;
    throw Error(ErrorCategory::BadData, fmt::format("{}: manifest.json cannot be used", name), error);
  }
  root["entries"].for_each_member([&](const std::string& key, const Place& place) {
    manifest.entries[key] = {place["shape"].lengths(), place["sha256"].text()};
  });
  return manifest;
}

}  // namespace choir
