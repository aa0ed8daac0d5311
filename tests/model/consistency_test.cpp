#include "choir/model/consistency.h"

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Model>
void expect_each_refused(const Model& good,
                         const std::vector<std::pair<std::function<void(Model&)>, std::string>>& spoilings) {
  ASSERT_NO_THROW(check_consistent(good));
  for (const auto& [spoil, words] : spoilings) {
    Model bad = good;
    spoil(bad);
    EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { check_consistent(bad); }), HasSubstr(words));
  }
}

TEST(Consistency, EveryPartOfAKernelModelIsChecked) {
  const KernelModel good = fit_kpca({.gamma = 0.5}, normal_samples(3, 8, 1), 2).model;
  expect_each_refused<KernelModel>(
      good,
      {{[](KernelModel& m) { m.kernel.gamma = -1; }, "gamma"},
       {[](KernelModel& m) { m.points.resize(3, 0); }, "no expansion points"},
       {[](KernelModel& m) { m.preprocessing.divide = 0; }, "divide"},
       {[](KernelModel& m) { m.coefficients.resize(8, 0); }, "no components"},
       {[](KernelModel& m) { m.coefficients = Matrix::Zero(7, 2); }, "coefficients has 7 where points has 8"},
       {[](KernelModel& m) { m.mean_weights = Vector::Zero(9); }, "mean_weights has 9"},
       {[](KernelModel& m) { m.offset = Vector::Zero(3); }, "offset has 3"},
       {[](KernelModel& m) { m.eigenvalues = Vector::Zero(1); }, "eigenvalues has 1"},
       {[](KernelModel& m) { m.points(1, 1) = nan; }, "points has a NaN"},
       {[](KernelModel& m) { m.coefficients(1, 1) = nan; }, "coefficients has a NaN"},
       {[](KernelModel& m) { m.mean_weights[1] = nan; }, "mean_weights has a NaN"},
       {[](KernelModel& m) { m.offset[1] = nan; }, "offset has a NaN"},
       {[](KernelModel& m) { m.eigenvalues[1] = nan; }, "eigenvalues has a NaN"},
       {[](KernelModel& m) { m.overlap = Matrix::Identity(3, 3); }, "overlap has 3"},
       {[](KernelModel& m) { m.overlap = Matrix::Zero(2, 3); }, "a row of overlap has 3"},
       {[](KernelModel& m) { m.overlap = Matrix::Constant(2, 2, nan); }, "overlap has a NaN"},
       {[](KernelModel& m) {
          m.overlap = Matrix{{1, 0.5}, {0.4, 1}};
        },
        "overlap is not symmetric"},
       {[](KernelModel& m) {
          m.overlap = Matrix{{1, 0}, {0, -1}};
        },
        "negative squared length"},
       {[](KernelModel& m) { m.mean_norm = nan; }, "mean_norm"},
       {[](KernelModel& m) { m.trace = -1; }, "trace"},
       {[](KernelModel& m) { m.training_samples = 0; }, "training_samples"}});
}

TEST(Consistency, EveryPartOfALinearModelIsChecked) {
  const LinearModel good = fit_pca(normal_samples(3, 8, 1), 2);
  expect_each_refused<LinearModel>(
      good, {{[](LinearModel& m) { m.components.resize(0, 2); }, "no features"},
             {[](LinearModel& m) { m.mean = Vector::Zero(4); }, "mean has 4"},
             {[](LinearModel& m) { m.mean[0] = nan; }, "mean has a NaN"},
             {[](LinearModel& m) { m.components(0, 0) = nan; }, "components has a NaN"},
             {[](LinearModel& m) { m.eigenvalues = Vector::Zero(3); }, "eigenvalues has 3"},
             {[](LinearModel& m) { m.trace = nan; }, "trace"}});
}

TEST(Consistency, EveryPartOfAFeatureModelIsChecked) {
  const FeatureModel good = fit_features({.gamma = 0.5}, {.count = 6, .seed = 1}, normal_samples(3, 8, 1), 2);
  expect_each_refused<FeatureModel>(
      good, {{[](FeatureModel& m) { m.kernel.gamma = -1; }, "gamma"},
             {[](FeatureModel& m) { m.kernel.kind = KernelKind::poly; },
              "poly kernel has no random Fourier features"},
             {[](FeatureModel& m) { m.random_features.count = 5; }, "mean has 6 where random_features has 5"},
             {[](FeatureModel& m) { m.preprocessing.divide = 0; }, "divide"},
             {[](FeatureModel& m) { m.sample_mean.resize(0); }, "no features"},
             {[](FeatureModel& m) { m.sample_mean = Vector::Zero(2); }, "sample_slopes has 3"},
             {[](FeatureModel& m) { m.sample_slopes = Matrix::Zero(3, 1); }, "a row of sample_slopes has 1"},
             {[](FeatureModel& m) { m.directions.resize(6, 0); }, "no components"},
             {[](FeatureModel& m) { m.directions = Matrix::Zero(7, 2); }, "directions has 7"},
             {[](FeatureModel& m) { m.eigenvalues = Vector::Zero(1); }, "eigenvalues has 1"},
             {[](FeatureModel& m) { m.mean[1] = nan; }, "mean has a NaN"},
             {[](FeatureModel& m) { m.directions(1, 1) = nan; }, "directions has a NaN"},
             {[](FeatureModel& m) { m.sample_mean[1] = nan; }, "sample_mean has a NaN"},
             {[](FeatureModel& m) { m.sample_slopes(1, 1) = nan; }, "sample_slopes has a NaN"},
             {[](FeatureModel& m) { m.training_samples = 0; }, "training_samples"}});
}

TEST(Consistency, EveryPieceOfALinearPartIsChecked) {
  const LinearPart good = cut_into_parts(fit_pca(normal_samples(4, 8, 1), 2), {{0, 2, 3}, {1}})[0];
  expect_each_refused<LinearPart>(
      good, {{[](LinearPart& m) { m.loadings.resize(0, 2); }, "no features"},
             {[](LinearPart& m) { m.loadings.resize(3, 0); }, "no components"},
             {[](LinearPart& m) { m.preprocessing.divide = 0; }, "divide"},
             {[](LinearPart& m) { m.preprocessing.standardize = Standardize::unit; },
              "cannot give samples length 1"},
             {[](LinearPart& m) { m.mean = Vector::Zero(4); }, "mean has 4 where loadings has 3"},
             {[](LinearPart& m) { m.mean[0] = nan; }, "mean has a NaN"},
             {[](LinearPart& m) { m.loadings(0, 0) = nan; }, "loadings has a NaN"},
             {[](LinearPart& m) { m.loadings(0, 0) = 1e100; }, "have length 1e+100"},
             {[](LinearPart& m) { m.eigenvalues = Vector::Zero(3); }, "eigenvalues has 3"},
             {[](LinearPart& m) { m.trace = -1; }, "trace"},
             {[](LinearPart& m) { m.training_samples = 0; }, "training_samples"},
             {[](LinearPart& m) {
                m.columns = {0, 1};
              },
              "columns has 2 where the part's number of features has 3"},
             {[](LinearPart& m) {
                m.columns = {-1, 1, 2};
              },
              "columns has -1; columns are counted from 0"},
             {[](LinearPart& m) {
                m.columns = {0, 2, 2};
              },
              "columns has 2 after 2"},
             {[](LinearPart& m) {
                m.columns = {3, 1, 2};
              },
              "columns has 1 after 3"}});
  LinearPart unknown = good;
  unknown.columns.clear();
  EXPECT_NO_THROW(check_consistent(unknown));
}

TEST(Consistency, EveryPieceOfAKernelPartIsChecked) {
  const Kernel kernel{.kind = KernelKind::poly, .gamma = 0.1, .normalized = true};
  const auto parts = cut_into_parts(fit_kpca(kernel, normal_samples(4, 8, 1), 2).model, {{0, 2, 3}, {1}});
  KernelPart good = parts[0];
  good.mean = Vector::Ones(3);
  expect_each_refused<KernelPart>(
      good,
      {{[](KernelPart& m) { m.kernel.gamma = -1; }, "gamma"},
       {[](KernelPart& m) { m.kernel.kind = KernelKind::laplacian; }, "cannot have the laplacian kernel"},
       {[](KernelPart& m) { m.points.resize(0, 8); }, "no features"},
       {[](KernelPart& m) { m.points.resize(3, 0); }, "no training samples"},
       {[](KernelPart& m) { m.points(0, 0) = nan; }, "points has a NaN"},
       {[](KernelPart& m) { m.preprocessing.divide = 0; }, "divide"},
       {[](KernelPart& m) { m.preprocessing.standardize = Standardize::unit; },
        "cannot give samples length 1"},
       {[](KernelPart& m) { m.mean = Vector::Zero(4); }, "mean has 4 where points has 3"},
       {[](KernelPart& m) { m.mean[0] = nan; }, "mean has a NaN"},
       {[](KernelPart& m) { m.training_samples = 7; }, "points has 8 where training_samples has 7"},
       {[](KernelPart& m) { m.columns.pop_back(); }, "columns has 2"},
       {[](KernelPart& m) { m.coefficients = Matrix::Zero(7, 2); }, "coefficients has 7"},
       {[](KernelPart& m) { m.coefficients(1, 1) = nan; }, "coefficients has a NaN"},
       {[](KernelPart& m) { m.row_means = Vector::Zero(7); }, "row_means has 7"},
       {[](KernelPart& m) { m.row_means[1] = nan; }, "row_means has a NaN"},
       {[](KernelPart& m) { m.lengths = Vector(); }, "lengths has 0 where points has 8"},
       {[](KernelPart& m) { m.lengths[1] = nan; }, "lengths has a NaN"},
       {[](KernelPart& m) { m.grand_mean = nan; }, "grand_mean"},
       {[](KernelPart& m) { m.eigenvalues = Vector::Zero(3); }, "eigenvalues has 3"},
       {[](KernelPart& m) { m.trace = -1; }, "trace"}});
  EXPECT_NO_THROW(check_consistent(parts[1]));  // without the answer
  good.kernel.normalized = false;
  good.lengths = {};
  EXPECT_NO_THROW(check_consistent(good));
}

TEST(Consistency, SmallModelsDoNotDrawVastFeatures) {
  const Index features = 1 << 16, count = (1 << 15) + 2;
  const FeatureModel vast{.kernel = {},
                          .random_features = {.count = count},
                          .mean = Vector::Zero(count),
                          .directions = Matrix::Zero(count, 1),
                          .sample_mean = Vector::Zero(features),
                          .sample_slopes = Matrix::Zero(features, 1),
                          .eigenvalues = Vector::Zero(1),
                          .training_samples = 1};
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { check_consistent(vast); }),
              HasSubstr("32770 random features of samples with 65536 features need more than 8 GiB"));
}

TEST(Consistency, RatiosOfNoVarianceAreZero) {
  EXPECT_EQ(variance_ratio(Vector::Constant(2, 3.0), 12), Vector::Constant(2, 0.25));
  EXPECT_EQ(variance_ratio(Vector::Zero(2), 0), Vector::Zero(2));
}

TEST(Consistency, EveryPartOfAKernelMachineIsChecked) {
  using Machine = KernelMachine;
  expect_each_refused<Machine>(
      any_machine("logistic", {-2, 0, 5}),
      {{[](Machine& m) { m.kernel.gamma = -1; }, "gamma"},
       {[](Machine& m) { m.points.resize(0, 6); }, "no features"},
       {[](Machine& m) { m.preprocessing.divide = 0; }, "divide"},
       {[](Machine& m) { m.loss = "absolute"; }, "the loss is 'absolute'"},
       {[](Machine& m) { m.loss = "huber"; }, "huber loss is for values"},
       {[](Machine& m) { m.classes.clear(); }, "logistic loss but no classes"},
       {[](Machine& m) {
          m.classes = {0, 1};
        },
        "a row of weights has 3 where classes has 2"},
       {[](Machine& m) {
          m.classes = {0, 5, 5};
        },
        "classes has 5 after 5"},
       {[](Machine& m) { m.classes[2] = std::int64_t{1} << 53; }, "below 2^53"},
       {[](Machine& m) { m.class_names = {"cat"}; }, "class_names has 1 where classes has 3"},
       {[](Machine& m) {
          m.class_names = {"cat", "emu", "dog"};
        },
        "names of the classes must ascend"},
       {[](Machine& m) {
          m.class_names = {"", "cat", "dog"};
        },
        "none may be empty"},
       {[](Machine& m) { m.weights = Matrix::Zero(5, 3); }, "weights has 5 where points has 6"},
       {[](Machine& m) { m.points(1, 1) = nan; }, "points has a NaN"},
       {[](Machine& m) { m.weights(1, 1) = nan; }, "weights has a NaN"}});
  expect_each_refused<Machine>(
      any_machine("squared", {}),
      {{[](Machine& m) { m.weights = Matrix::Zero(6, 2); }, "a row of weights has 2 where a value has 1"},
       {[](Machine& m) { m.intercept = Vector::Ones(2); }, "intercept has 2 where a row of weights has 1"},
       {[](Machine& m) { m.intercept = Vector::Constant(1, nan); }, "intercept has a NaN"}});
  EXPECT_NO_THROW(check_consistent(any_machine("hinge", {0, 1}, 0)));
}

TEST(Consistency, EveryPartOfAMachineOverRandomFeaturesIsChecked) {
  using Machine = KernelMachine;
  Machine machine = any_machine("logistic", {0, 1}, 0);
  machine.random_features = RandomFeaturesOptions{.count = 5};
  machine.weights = Matrix::Ones(5, 2);
  machine.intercept = Vector::Ones(2);
  EXPECT_NO_THROW(check_consistent(machine));
  expect_each_refused<Machine>(
      machine,
      {{[](Machine& m) { m.weights = Matrix::Ones(4, 2); }, "weights has 4 where random_features has 5"},
       {[](Machine& m) { m.points = Samples::Ones(3, 1); }, "points has 1"},
       {[](Machine& m) { m.kernel.kind = KernelKind::poly; }, "no random Fourier features"},
       {[](Machine& m) { m.intercept = Vector::Ones(3); }, "intercept has 3"},
       {[](Machine& m) { m.intercept(1) = nan; }, "intercept has a NaN"}});
}

TEST(Consistency, EveryPartOfClustersIsChecked) {
  using Clusters = ClusterModel;
  expect_each_refused<Clusters>(
      landmark_clusters(),
      {{[](Clusters& m) { m.kernel.gamma = -1; }, "gamma"},
       {[](Clusters& m) { m.sample_features = 0; }, "no features"},
       {[](Clusters& m) { m.sample_features = 4; }, "points has 3 where"},
       {[](Clusters& m) { m.preprocessing.divide = 0; }, "divide"},
       {[](Clusters& m) { m.points.resize(3, 0); }, "no landmarks"},
       {[](Clusters& m) { m.projection = Matrix::Zero(5, 2); }, "projection has 5 where points has 6"},
       {[](Clusters& m) { m.projection = Matrix::Zero(6, 3); }, "centroids has 2 where projection has 3"},
       {[](Clusters& m) { m.centroids.resize(2, 0); }, "no clusters"},
       {[](Clusters& m) { m.counts = Vector::Zero(3); }, "counts has 3 where centroids has 4"},
       {[](Clusters& m) { m.counts[1] = -1; }, "cannot be negative"},
       {[](Clusters& m) { m.points(1, 1) = nan; }, "points has a NaN"},
       {[](Clusters& m) { m.projection(1, 1) = nan; }, "projection has a NaN"},
       {[](Clusters& m) { m.centroids(1, 1) = nan; }, "centroids has a NaN"},
       {[](Clusters& m) { m.counts[1] = nan; }, "counts has a NaN"},
       {[](Clusters& m) { m.training_samples = 0; }, "training_samples"}});
  expect_each_refused<Clusters>(
      staged_clusters(),
      {{[](Clusters& m) { m.kernel.kind = KernelKind::poly; }, "no random Fourier features"},
       {[](Clusters& m) { m.stages[1].eta = 0; }, "eta of a stage is 0"},
       {[](Clusters& m) { m.stages[1].eta = 1.5; }, "eta of a stage is 1.5"},
       {[](Clusters& m) { m.stages[0].random.count = 0; }, "0 random features"},
       {[](Clusters& m) { m.sample_features = Index{1} << 40; }, "more than 8 GiB"},
       {[](Clusters& m) { m.stages[1].random.count = 8; }, "the map of a stage has 7 where"},
       {[](Clusters& m) { m.stages[2].map = Matrix::Zero(14, 2); }, "centroids has 3 where"},
       {[](Clusters& m) { m.stages[2].map(0, 0) = nan; }, "map of a stage has a NaN"}});
}

}  // namespace
}  // namespace choir
