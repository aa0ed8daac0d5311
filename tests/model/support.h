// Dense, obvious kernel PCA and PCA, and small data: the truths the model's tests compare with.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "codec/support.h"
#include "kernel/support.h"
#include "paths.h"

#include "choir/base/rng.h"
#include "choir/linalg/eigen.h"
#include "choir/model/cluster_model.h"
#include "choir/model/feature_model.h"
#include "choir/model/kernel_machine.h"
#include "choir/model/kernel_model.h"
#include "choir/model/kernel_part.h"
#include "choir/model/linear_model.h"
#include "choir/model/linear_part.h"
#include "choir/model/model_file.h"

namespace choir {

inline std::filesystem::path model_fixture(std::string_view name) {
  return std::filesystem::path(fixtures_folder()) / "model" / name;
}

struct FittedKpca {
  KernelModel model;
  Matrix scores;  // of the training samples: N x D
};

FittedKpca fit_kpca(const Kernel& kernel, const Samples& samples, Index components);

LinearModel fit_pca(const Samples& samples, Index components);

// PCA of `count` random features, written out; samples regressed on their scores.
FeatureModel fit_features(const Kernel& kernel, const RandomFeaturesOptions& random, const Samples& samples,
                          Index components);

// The parts of a model for parties that have these columns each.
using Columns = std::vector<std::int64_t>;
std::vector<LinearPart> cut_into_parts(const LinearModel& model, const std::vector<Columns>& columns);
// Of kernel PCA of its points; the first party alone has the answer.
std::vector<KernelPart> cut_into_parts(const KernelModel& model, const std::vector<Columns>& columns);
Samples rows_of(const Samples& samples, const Columns& columns);

// The same span behind other directions: w A, which are not orthonormal. A is D x any.
KernelModel oblique(KernelModel model, const Matrix& mixing);

// Weights of chance over normal points of 3 features: as many columns as classes, or one for values.
KernelMachine any_machine(const std::string& loss, const std::vector<std::int64_t>& classes,
                          Index points = 6);

// Clusters of chance of samples with 3 features: 6 landmarks, 2 dimensions, 4 clusters; or three stages of
// random features.
ClusterModel landmark_clusters();
ClusterModel staged_clusters();

// The random features of the samples from their formula: m x N.
Matrix features_of(const Kernel& kernel, const RandomFeaturesOptions& random, const Samples& samples);

// Turns x into 2 (x + 1), for samples of 3 features.
inline Preprocessing doubled_after_one_more() {
  return {.divide = 0.5,
          .standardize = Standardize::zscore,
          .mean = Vector::Constant(3, -2),
          .scale = Vector::Ones(3)};
}

// Of a model with 2 components of 3 features.
template <class AnyModel>
void expect_other_widths_are_refused(const AnyModel& model) {
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { model.transform(Samples::Zero(4, 2)); }),
              HasSubstr("the samples have 4 features but the model was fitted on 3"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { model.score(Samples::Zero(2, 2)); }),
              HasSubstr("2 features"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { model.inverse(Matrix::Zero(5, 3)); }),
              HasSubstr("the scores have 3 columns but the model has 2 components"));
}

// Of a model of samples with 3 features that has clusters or predicts, but has no components.
inline void expect_three_features_and_no_components(const Model& model) {
  EXPECT_EQ(features(model), 3);
  EXPECT_EQ(components(model), 0);
}

inline double largest(const Matrix& difference) { return difference.cwiseAbs().maxCoeff(); }

}  // namespace choir
