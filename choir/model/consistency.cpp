#include "choir/model/consistency.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "choir/base/error.h"
#include "choir/kernel/comparison.h"

namespace choir {
namespace {

void check_size(std::string_view what, Index has, std::string_view of, Index needs) {
  if (has != needs)
    fail(ErrorCategory::InvalidArgument, "{} has {} where {} has {}; they belong to different models", what,
         has, of, needs);
}

template <class Array>
void check_finite(std::string_view what, const Array& values) {
  if (!values.allFinite()) fail(ErrorCategory::InvalidArgument, "{} has a NaN or an infinity", what);
}

// What every kind of model has.
void check_variances(const Vector& eigenvalues, double trace, Index training_samples, Index components) {
  if (components < 1) fail(ErrorCategory::InvalidArgument, "the model has no components");
  check_size("eigenvalues", eigenvalues.size(), "the model's number of components", components);
  check_finite("eigenvalues", eigenvalues);
  if (!std::isfinite(trace) || trace < 0)
    fail(ErrorCategory::InvalidArgument, "the trace is {}; it must be finite and non-negative", trace);
  if (training_samples < 1)
    fail(ErrorCategory::InvalidArgument, "training_samples is {}; it must be positive", training_samples);
}

// D x D, symmetric up to rounding, lengths that can be; nothing at all is an orthonormal model.
void check_overlap(const Matrix& overlap, Index components) {
  if (overlap.size() == 0) return;
  check_size("overlap", overlap.rows(), "the model's number of components", components);
  check_size("a row of overlap", overlap.cols(), "the model's number of components", components);
  check_finite("overlap", overlap);
  if ((overlap - overlap.transpose()).norm() > 1e-10 * overlap.norm())
    fail(ErrorCategory::InvalidArgument, "overlap is not symmetric; it holds inner products of directions");
  if (overlap.diagonal().minCoeff() < 0)
    fail(ErrorCategory::InvalidArgument, "overlap has a negative squared length on its diagonal");
}

// Arrays that a file cannot hold are drawn in its place: a small one must not ask for vast ones.
void check_random_features(const Kernel& kernel, Index count, Index features) {
  constexpr Index most = Index{1} << 30;
  if (kernel.kind != KernelKind::rbf && kernel.kind != KernelKind::laplacian)
    fail(ErrorCategory::InvalidArgument, "the {} kernel has no random Fourier features; use rbf or laplacian",
         to_string(kernel.kind));
  if (count < 1) fail(ErrorCategory::InvalidArgument, "the model has {} random features", count);
  if (count / 2 > most / features)  // two features a frequency
    fail(ErrorCategory::InvalidArgument,
         "{} random features of samples with {} features need more than 8 GiB; ask for fewer", count,
         features);
}

// Every stage takes what the one before gives.
void check_stages(const ClusterModel& model) {
  Index length = 0;
  for (const FeatureStage& stage : model.stages) {
    check_random_features(model.kernel, stage.random.count, model.features());
    if (!(stage.eta > 0 && stage.eta <= 1))
      fail(ErrorCategory::InvalidArgument, "eta of a stage is {}; it must lie between 0 and 1", stage.eta);
    check_size("the map of a stage", stage.map.rows() - length, "its random_features", stage.random.count);
    check_finite("the map of a stage", stage.map);
    length = stage.map.cols();
  }
  check_size("centroids", model.dimension(), "the map of the last stage", length);
}

void check_landmarks(const ClusterModel& model) {
  if (model.points.cols() < 1) fail(ErrorCategory::InvalidArgument, "the model has no landmarks");
  check_size("points", model.points.rows(), "the model's number of features", model.features());
  check_size("projection", model.projection.rows(), "points", model.points.cols());
  check_size("centroids", model.dimension(), "projection", model.projection.cols());
  check_finite("points", model.points);
  check_finite("projection", model.projection);
}

constexpr std::array<std::string_view, 2> losses_of_labels = {"logistic", "hinge"};
constexpr std::array<std::string_view, 2> losses_of_values = {"squared", "huber"};

// A column of weights for each class, or one for a value.
void check_classes(const KernelMachine& model) {
  const bool has_labels = std::ranges::find(losses_of_labels, model.loss) != losses_of_labels.end();
  const bool has_values = std::ranges::find(losses_of_values, model.loss) != losses_of_values.end();
  if (!has_labels && !has_values)
    fail(ErrorCategory::InvalidArgument, "the loss is '{}'; it must be logistic, hinge, squared or huber",
         model.loss);
  if (has_labels && model.classes.empty())
    fail(ErrorCategory::InvalidArgument, "the model has {} loss but no classes", model.loss);
  if (has_values && !model.classes.empty())
    fail(ErrorCategory::InvalidArgument, "the model has classes, but {} loss is for values", model.loss);
  const Index outputs = has_labels ? std::ssize(model.classes) : 1;
  check_size("a row of weights", model.weights.cols(), has_labels ? "classes" : "a value", outputs);
  constexpr std::int64_t exact = std::int64_t{1} << 53;  // predictions are doubles
  for (const std::int64_t label : model.classes)
    if (label <= -exact || label >= exact)
      fail(ErrorCategory::InvalidArgument, "classes has {}; labels must be integers below 2^53", label);
  for (std::size_t k = 1; k < model.classes.size(); ++k)
    if (model.classes[k] <= model.classes[k - 1])
      fail(ErrorCategory::InvalidArgument, "classes has {} after {}; they must ascend without duplicates",
           model.classes[k], model.classes[k - 1]);
}

// None at all: the classes are their own names.
void check_class_names(const KernelMachine& model) {
  const std::vector<std::string>& names = model.class_names;
  if (names.empty()) return;
  check_size("class_names", std::ssize(names), "classes", std::ssize(model.classes));
  if (std::ranges::adjacent_find(names, std::greater_equal<>()) != names.end() || names.front().empty())
    throw Error(ErrorCategory::InvalidArgument,
                "the names of the classes must ascend without duplicates, and none may be empty");
}

// None at all: whoever made the part did not know which columns of the whole data it has.
void check_columns(const std::vector<std::int64_t>& columns, Index features) {
  if (columns.empty()) return;
  check_size("columns", std::ssize(columns), "the part's number of features", features);
  if (columns.front() < 0)
    fail(ErrorCategory::InvalidArgument, "columns has {}; columns are counted from 0", columns.front());
  for (std::size_t i = 1; i < columns.size(); ++i)
    if (columns[i] <= columns[i - 1])
      fail(ErrorCategory::InvalidArgument, "columns has {} after {}; they must ascend without duplicates",
           columns[i], columns[i - 1]);
}

// Those of all parts together have length 1, as far as the nodes that found them agree.
void check_share_of_unit_vectors(const Matrix& loadings) {
  constexpr double generous = 2;
  const double longest = loadings.colwise().norm().maxCoeff();
  if (longest <= generous) return;
  fail(ErrorCategory::InvalidArgument,
       "the loadings of a component have length {}, but those of all parts together have length 1", longest);
}

// What a model is asked about.
template <class AnyModel>
void check_inputs(const AnyModel& model) {
  if (model.features() < 1) fail(ErrorCategory::InvalidArgument, "the model has no features");
  validate(model.preprocessing, model.features());
}

// What every party's part has, whatever its kind.
template <class Part>
void check_party(const Part& model) {
  check_inputs(model);
  if (model.preprocessing.standardize == Standardize::unit)
    fail(ErrorCategory::InvalidArgument,
         "a part of a model cannot give samples length 1: their lengths are spread over all parts");
  check_columns(model.columns, model.features());
}

// What only a party has that got the result.
void check_result(const KernelPart& model) {
  check_variances(model.eigenvalues, model.trace, model.training_samples, model.components());
  check_size("coefficients", model.coefficients.rows(), "points", model.points.cols());
  check_size("row_means", model.row_means.size(), "points", model.points.cols());
  if (scales_by_lengths(model.kernel))
    check_size("lengths", model.lengths.size(), "points", model.points.cols());
  check_finite("coefficients", model.coefficients);
  check_finite("row_means", model.row_means);
  check_finite("lengths", model.lengths);
  if (!std::isfinite(model.grand_mean))
    fail(ErrorCategory::InvalidArgument, "grand_mean is {}", model.grand_mean);
}

}  // namespace

void check_features(Index samples_have, Index model_has) {
  if (samples_have != model_has)
    fail(ErrorCategory::InvalidArgument,
         "the samples have {} features but the model was fitted on {}; give it the same columns",
         samples_have, model_has);
}

void check_scores(const Matrix& scores, Index components) {
  if (scores.cols() != components)
    fail(ErrorCategory::InvalidArgument, "the scores have {} columns but the model has {} components",
         scores.cols(), components);
  check_finite("the array of scores", scores);
}

void check_consistent(const KernelModel& model) {
  validate(model.kernel);
  if (model.features() < 1 || model.points.cols() < 1)
    fail(ErrorCategory::InvalidArgument, "the model has no expansion points");
  validate(model.preprocessing, model.features());
  check_variances(model.eigenvalues, model.trace, model.training_samples, model.components());
  check_size("coefficients", model.coefficients.rows(), "points", model.points.cols());
  check_size("mean_weights", model.mean_weights.size(), "points", model.points.cols());
  check_size("offset", model.offset.size(), "coefficients", model.components());
  check_finite("points", model.points);
  check_finite("coefficients", model.coefficients);
  check_finite("mean_weights", model.mean_weights);
  check_finite("offset", model.offset);
  check_overlap(model.overlap, model.components());
  if (!std::isfinite(model.mean_norm))
    fail(ErrorCategory::InvalidArgument, "mean_norm is {}", model.mean_norm);
}

void check_consistent(const LinearModel& model) {
  check_inputs(model);
  check_variances(model.eigenvalues, model.trace, model.training_samples, model.components.cols());
  check_size("mean", model.mean.size(), "components", model.features());
  check_finite("mean", model.mean);
  check_finite("components", model.components);
}

void check_consistent(const FeatureModel& model) {
  validate(model.kernel);
  check_inputs(model);
  check_variances(model.eigenvalues, model.trace, model.training_samples, model.components());
  check_random_features(model.kernel, model.random_features.count, model.features());
  check_size("mean", model.mean.size(), "random_features", model.random_features.count);
  check_size("directions", model.directions.rows(), "mean", model.mean.size());
  check_size("sample_slopes", model.sample_slopes.rows(), "sample_mean", model.features());
  check_size("a row of sample_slopes", model.sample_slopes.cols(), "directions", model.components());
  check_finite("mean", model.mean);
  check_finite("directions", model.directions);
  check_finite("sample_mean", model.sample_mean);
  check_finite("sample_slopes", model.sample_slopes);
}

void check_consistent(const LinearPart& model) {
  check_party(model);
  check_variances(model.eigenvalues, model.trace, model.training_samples, model.components());
  check_size("mean", model.mean.size(), "loadings", model.features());
  check_finite("mean", model.mean);
  check_finite("loadings", model.loadings);
  check_share_of_unit_vectors(model.loadings);
}

void check_consistent(const KernelPart& model) {
  validate(model.kernel);
  if (model.kernel.kind == KernelKind::laplacian)
    fail(
        ErrorCategory::InvalidArgument,
        "a part of a model cannot have the laplacian kernel; its parts add up squared distances or products");
  check_party(model);
  if (model.points.cols() < 1) fail(ErrorCategory::InvalidArgument, "the model has no training samples");
  if (model.mean.size() > 0) check_size("mean", model.mean.size(), "points", model.features());
  check_size("points", model.points.cols(), "training_samples", model.training_samples);
  check_finite("mean", model.mean);
  check_finite("points", model.points);
  if (model.has_answer()) check_result(model);
}

void check_consistent(const KernelMachine& model) {
  validate(model.kernel);
  check_inputs(model);
  check_classes(model);
  check_class_names(model);
  if (model.random_features) {
    check_random_features(model.kernel, model.random_features->count, model.features());
    check_size("points", model.points.cols(), "a model with random features", 0);
    check_size("weights", model.weights.rows(), "random_features", model.random_features->count);
  } else {
    check_size("weights", model.weights.rows(), "points", model.points.cols());
  }
  if (model.intercept.size() > 0)
    check_size("intercept", model.intercept.size(), "a row of weights", model.outputs());
  check_finite("points", model.points);
  check_finite("weights", model.weights);
  check_finite("intercept", model.intercept);
}

void check_consistent(const ClusterModel& model) {
  validate(model.kernel);
  check_inputs(model);
  if (model.dimension() < 1 || model.clusters() < 1)
    fail(ErrorCategory::InvalidArgument, "the model has no clusters");
  if (model.stages.empty())
    check_landmarks(model);
  else
    check_stages(model);
  check_size("counts", model.counts.size(), "centroids", model.clusters());
  check_finite("centroids", model.centroids);
  check_finite("counts", model.counts);
  if (model.counts.minCoeff() < 0)
    fail(ErrorCategory::InvalidArgument, "counts has {}; a number of samples cannot be negative",
         model.counts.minCoeff());
  if (model.training_samples < 1)
    fail(ErrorCategory::InvalidArgument, "training_samples is {}; it must be positive",
         model.training_samples);
}

Vector variance_ratio(const Vector& eigenvalues, double trace) {
  return trace > 0 ? Vector(eigenvalues / trace) : Vector(Vector::Zero(eigenvalues.size()));
}

}  // namespace choir
