#include "choir/model/manifest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/model/kernel_json.h"
#include "choir/model/manifest_place.h"
#include "choir/model/recipe_json.h"

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
  int format = file.recipe ? 5 : 1;
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

constexpr int max_int = std::numeric_limits<int>::max();

Kernel parse_kernel(const ManifestPlace& place) {
  return {.kind = parse_choice<KernelKind>("kernel", place["kind"].text()),
          .gamma = place["gamma"].number(),
          .degree = static_cast<int>(place["degree"].integer(1, max_int)),
          .coef0 = place["coef0"].number(),
          .normalized = place["normalized"].boolean()};
}

RandomFeaturesOptions parse_random_features(const ManifestPlace& place) {
  return {.count = place["count"].integer(1, ManifestPlace::max_length),
          .seed = place["seed"].bits(),
          .orthogonal = place["orthogonal"].boolean()};
}

// Without the arrays of zscore.
Preprocessing parse_preprocessing(const ManifestPlace& place) {
  Preprocessing preprocessing;
  preprocessing.divide = place["divide"].number();
  preprocessing.standardize = parse_choice<Standardize>("standardize", place["standardize"].text());
  return preprocessing;
}

// What all kinds of components have.
template <class AnyModel>
AnyModel parse_common(const ManifestPlace& place) {
  AnyModel model;
  model.preprocessing = parse_preprocessing(place["preprocessing"]);
  model.trace = place["trace"].number();
  model.training_samples = place["training_samples"].integer(1, ManifestPlace::max_length);
  return model;
}

KernelModel parse_kernel_model(const ManifestPlace& place, std::int64_t format) {
  auto model = parse_common<KernelModel>(place);
  model.kernel = parse_kernel(place["kernel"]);
  model.mean_norm = place["mean_norm"].number();
  if (format >= 2 && place["overlap"].boolean()) model.overlap = Matrix::Zero(1, 1);
  return model;
}

FeatureModel parse_feature_model(const ManifestPlace& place) {
  auto model = parse_common<FeatureModel>(place);
  model.kernel = parse_kernel(place["kernel"]);
  model.random_features = parse_random_features(place["random_features"]);
  return model;
}

LinearPart parse_linear_part(const ManifestPlace& place) {
  auto model = parse_common<LinearPart>(place);
  if (place["columns"].boolean()) model.columns = {0};
  return model;
}

KernelPart parse_kernel_part(const ManifestPlace& place) {
  auto model = parse_common<KernelPart>(place);
  model.kernel = parse_kernel(place["kernel"]);
  if (place["columns"].boolean()) model.columns = {0};
  if (place["mean"].boolean()) model.mean = Vector::Zero(1);
  if (!place["result"].boolean()) return model;
  model.coefficients = Matrix::Zero(1, 1);
  model.grand_mean = place["grand_mean"].number();
  return model;
}

KernelMachine parse_kernel_machine(const ManifestPlace& place, std::int64_t format) {
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
  place["class_names"].for_each_item(
      most_names, [&](const ManifestPlace& name) { model.class_names.push_back(name.text()); });
  return model;
}

// Without the stages' maps.
ClusterModel parse_clusters(const ManifestPlace& place) {
  constexpr std::size_t most_stages = 900;  // as many arrays as a file may have, and some for the rest
  ClusterModel model;
  model.kernel = parse_kernel(place["kernel"]);
  model.preprocessing = parse_preprocessing(place["preprocessing"]);
  model.sample_features = place["features"].integer(1, ManifestPlace::max_length);
  model.training_samples = place["training_samples"].integer(1, ManifestPlace::max_length);
  place["stages"].for_each_item(most_stages, [&](const ManifestPlace& stage) {
    model.stages.push_back(
        {.random = parse_random_features(stage["random_features"]), .eta = stage["eta"].number(), .map = {}});
  });
  return model;
}

Model parse_answer(const ManifestPlace& place, std::int64_t format) {
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

std::int64_t parse_format(const ManifestPlace& root, std::string_view name) {
  const std::int64_t format = root["format"].integer(1, ManifestPlace::max_length);
  if (format > model_format)
    fail(ErrorCategory::BadData, "{}: written by a newer choir (format {}); this one reads formats up to {}",
         name, format, model_format);
  return format;
}

ModelFile parse_file(const ManifestPlace& root, std::int64_t format) {
  ModelFile file;
  file.choir_version = root["choir"].text();
  file.method = root["method"].text();
  file.node = static_cast<int>(root["node"].integer(0, max_int));
  file.use = root["use"].text();
  root["parameters"].for_each_member(
      [&](const std::string& key, const ManifestPlace& place) { file.parameters[key] = place.text(); });
  root["answers"].for_each_member([&](const std::string& key, const ManifestPlace& place) {
    place.need(is_answer_name(key), "a name made of letters, digits, '-' and '_'");
    file.answers[key] = parse_answer(place, format);
  });
  if (format >= 5 && root.has("recipe")) file.recipe = parse_recipe(root["recipe"]);
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
  if (file.recipe) root["recipe"] = recipe_json(*file.recipe);
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
  const ManifestPlace root(document, name, "");
  const std::int64_t format = parse_format(root, name);
  Manifest manifest;
  try {
    manifest.file = parse_file(root, format);
  } catch (const Error& error) {
    if (error.category() == ErrorCategory::BadData) throw;
    throw Error(ErrorCategory::BadData, fmt::format("{}: manifest.json cannot be used", name), error);
  }
  root["entries"].for_each_member([&](const std::string& key, const ManifestPlace& place) {
    manifest.entries[key] = {place["shape"].lengths(), place["sha256"].text()};
  });
  return manifest;
}

}  // namespace choir
