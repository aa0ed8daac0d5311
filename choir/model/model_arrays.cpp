#include "choir/model/model_arrays.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

#include "choir/base/error.h"
#include "choir/kernel/comparison.h"

namespace choir {
namespace {

// How a matrix of choir (column-major) becomes an array of numpy.
enum class Layout {
  rows_are_columns,  // M x P in choir, (P, M) in C order there: the same bytes
  as_is,             // P x D in choir, (P, D) in Fortran order there: the same bytes
};

// What a kernel's part has only at a party that got the result.
template <class AnyPart, class Visit>
void for_each_array_of_result(AnyPart& part, Visit&& visit) {
  visit("coefficients", part.coefficients, Layout::as_is);
  visit("row_means", part.row_means, Layout::as_is);
  if (scales_by_lengths(part.kernel)) visit("lengths", part.lengths, Layout::as_is);
  visit("eigenvalues", part.eigenvalues, Layout::as_is);
}

template <class AnyClusters, class Visit>
void for_each_array_of_embedding(AnyClusters& model, Visit&& visit) {
  if (model.stages.empty()) {
    visit("points", model.points, Layout::rows_are_columns);
    visit("projection", model.projection, Layout::as_is);
  }
  for (std::size_t t = 0; t < model.stages.size(); ++t)
    visit(fmt::format("stage-{}", t + 1), model.stages[t].map, Layout::as_is);
}

// Calls visit(name, array[, layout]) for every array of the model, which may be const.
template <class AnyModel, class Visit>
void for_each_array(AnyModel& model, Visit&& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<AnyModel>, KernelModel>) {
    visit("points", model.points, Layout::rows_are_columns);
    visit("coefficients", model.coefficients, Layout::as_is);
    visit("mean_weights", model.mean_weights, Layout::as_is);
    visit("offset", model.offset, Layout::as_is);
    if (model.overlap.size() > 0) visit("overlap", model.overlap, Layout::as_is);
  } else if constexpr (std::is_same_v<std::remove_const_t<AnyModel>, FeatureModel>) {
    visit("mean", model.mean, Layout::as_is);
    visit("directions", model.directions, Layout::as_is);
    visit("sample_mean", model.sample_mean, Layout::as_is);
    visit("sample_slopes", model.sample_slopes, Layout::rows_are_columns);
  } else if constexpr (std::is_same_v<std::remove_const_t<AnyModel>, LinearPart>) {
    visit("mean", model.mean, Layout::as_is);
    visit("loadings", model.loadings, Layout::rows_are_columns);
    if (!model.columns.empty()) visit("columns", model.columns, Layout::as_is);
  } else if constexpr (std::is_same_v<std::remove_const_t<AnyModel>, KernelPart>) {
    visit("points", model.points, Layout::rows_are_columns);
    if (!model.columns.empty()) visit("columns", model.columns, Layout::as_is);
    if (model.mean.size() > 0) visit("mean", model.mean, Layout::as_is);
    if (model.has_answer()) for_each_array_of_result(model, visit);
  } else if constexpr (std::is_same_v<std::remove_const_t<AnyModel>, KernelMachine>) {
    visit("points", model.points, Layout::rows_are_columns);
    visit("weights", model.weights, Layout::as_is);
    if (model.intercept.size() > 0) visit("intercept", model.intercept, Layout::as_is);
    if (!model.classes.empty()) visit("classes", model.classes, Layout::as_is);
  } else if constexpr (std::is_same_v<std::remove_const_t<AnyModel>, ClusterModel>) {
    for_each_array_of_embedding(model, visit);
    visit("centroids", model.centroids, Layout::rows_are_columns);
    visit("counts", model.counts, Layout::as_is);
  } else {
    visit("mean", model.mean, Layout::as_is);
    visit("components", model.components, Layout::rows_are_columns);
  }
  constexpr bool some_have_them = std::is_same_v<std::remove_const_t<AnyModel>, KernelPart>;
  if constexpr (requires { model.eigenvalues; } && !some_have_them) {
    visit("eigenvalues", model.eigenvalues, Layout::as_is);
  }
  if (model.preprocessing.standardize == Standardize::zscore) {
    visit("preprocessing_mean", model.preprocessing.mean, Layout::as_is);
    visit("preprocessing_scale", model.preprocessing.scale, Layout::as_is);
  }
}

std::string entry_name(std::string_view answer, std::string_view array) {
  return fmt::format("{}/{}.npy", answer, array);
}

// What a file has of an array.
template <class Array>
struct Stored {
  static constexpr ElementType type = ElementType::float64;
  static constexpr std::size_t axes = Array::ColsAtCompileTime == 1 ? 1 : 2;
};
template <>
struct Stored<std::vector<std::int64_t>> {
  static constexpr ElementType type = ElementType::int64;
  static constexpr std::size_t axes = 1;
};

NpyArray to_npy(const std::vector<std::int64_t>& values, Layout) {
  const auto bytes = std::as_bytes(std::span(values));
  return {ElementType::int64, {std::ssize(values)}, false, {bytes.begin(), bytes.end()}};
}

template <class Array>
NpyArray to_npy(const Array& values, Layout layout) {
  constexpr bool vector = Array::ColsAtCompileTime == 1;
  const std::span<const double> data(values.data(), static_cast<std::size_t>(values.size()));
  if (vector) return from_doubles(data, {values.size()});
  if (layout == Layout::rows_are_columns) return from_doubles(data, {values.cols(), values.rows()});
  NpyArray array = from_doubles(data, {values.rows(), values.cols()});
  array.fortran_order = true;
  return array;
}

// copy_doubles gives C order whatever the file has.
void from_npy(const NpyView& array, Layout layout, Matrix& values) {
  const Index rows = array.shape[0], columns = array.shape[1];
  Matrix transposed(columns, rows);
  copy_doubles(array, {transposed.data(), static_cast<std::size_t>(transposed.size())});
  if (layout == Layout::rows_are_columns)
    values = std::move(transposed);
  else
    values = transposed.transpose();
}

void from_npy(const NpyView& array, Layout, Vector& values) {
  values.resize(array.shape[0]);
  copy_doubles(array, {values.data(), static_cast<std::size_t>(values.size())});
}

void from_npy(const NpyView& array, Layout, std::vector<std::int64_t>& values) {
  values.resize(static_cast<std::size_t>(array.shape[0]));
  if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
}

// A machine that has learned nothing yet has points (0, M) and weights (0, K).
template <class AnyModel>
bool is_empty(const std::vector<Index>& shape) {
  constexpr bool may_lack_points = std::is_same_v<AnyModel, KernelMachine>;
  const auto first = shape.begin() + (may_lack_points && shape.size() == 2 ? 1 : 0);
  return std::count(first, shape.end(), 0) > 0;
}

}  // namespace

void append_arrays(Archive& archive, std::string_view answer, const Model& model) {
  std::visit(
      [&](const auto& any) {
        for_each_array(any, [&](std::string_view name, const auto& values, Layout layout) {
          archive.push_back({entry_name(answer, name), encode_npy(to_npy(values, layout))});
        });
      },
      model);
}

void fill_arrays(Model& model, std::string_view answer, std::string_view file,
                 const std::function<NpyView(const std::string& entry)>& find) {
  std::visit(
      [&](auto& any) {
        for_each_array(any, [&](std::string_view name, auto& values, Layout layout) {
          using InFile = Stored<std::decay_t<decltype(values)>>;
          const std::string entry = entry_name(answer, name);
          const NpyView array = find(entry);
          if (array.type != InFile::type || array.shape.size() != InFile::axes)
            fail(ErrorCategory::BadData, "{}: '{}' is a {}-dimensional array of {}; {} in {} is needed", file,
                 entry, array.shape.size(), to_string(array.type), to_string(InFile::type), InFile::axes);
          if (is_empty<std::decay_t<decltype(any)>>(array.shape))
            fail(ErrorCategory::BadData, "{}: '{}' is empty; no model has an empty array", file, entry);
          from_npy(array, layout, values);
        });
      },
      model);
}

}  // namespace choir
