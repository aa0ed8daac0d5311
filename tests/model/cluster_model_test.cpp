#include "choir/model/cluster_model.h"

#include "kernel/kernels.h"
#include "model/support.h"
#include <gtest/gtest.h>

#include "choir/model/model_file.h"

namespace choir {
namespace {

// b(x) a sample at a time, from the formulas: r x N.
Matrix written_out(const ClusterModel& model, const Samples& samples) {
  if (model.stages.empty())
    return model.projection.transpose() * plain_gram(model.kernel, model.points, samples);
  Matrix b(0, samples.cols());
  for (const FeatureStage& stage : model.stages) {
    const Matrix z = features_of(model.kernel, stage.random, samples);
    Matrix next(stage.map.cols(), samples.cols());
    for (Index n = 0; n < samples.cols(); ++n) {
      Vector input(z.rows() + b.rows());
      input << std::sqrt(stage.eta) * z.col(n), std::sqrt(1 - stage.eta) * b.col(n);
      next.col(n) = stage.map.transpose() * input;
    }
    b = next;
  }
  return b;
}

TEST(ClusterModel, EmbedsByItsLandmarksUnderEveryKernel) {
  const Samples fresh = normal_samples(3, 20, 1);
  for (const Kernel& kernel : test::every_kernel()) {
    ClusterModel model = landmark_clusters();
    model.kernel = kernel;
    EXPECT_LT(largest(model.embed(fresh) - written_out(model, fresh).transpose()), 1e-12) << describe(kernel);
  }
}

TEST(ClusterModel, EmbedsStageByStageInRandomFeatures) {
  const Samples fresh = normal_samples(3, 20, 1);
  const ClusterModel model = staged_clusters();
  EXPECT_LT(largest(model.embed(fresh) - written_out(model, fresh).transpose()), 1e-12);
}

TEST(ClusterModel, PredictsTheNearestCentroid) {
  const Samples fresh = normal_samples(3, 50, 3);
  for (const ClusterModel& model : {landmark_clusters(), staged_clusters()}) {
    const Matrix embedded = written_out(model, fresh);
    const Matrix distances = model.distances(fresh);
    const std::vector<std::int64_t> labels = model.predict(fresh);
    for (Index n = 0; n < 50; ++n) {
      Index nearest = 0;
      const Vector truth = (model.centroids.colwise() - embedded.col(n)).colwise().squaredNorm();
      truth.minCoeff(&nearest);
      EXPECT_EQ(labels[static_cast<std::size_t>(n)], nearest);
      EXPECT_LT(largest(distances.row(n).transpose() - truth), 1e-12);
    }
  }
}

TEST(ClusterModel, PreprocessesSamplesAndNotItsLandmarks) {
  ClusterModel model = landmark_clusters();
  const Samples fresh = normal_samples(3, 7, 2);
  const Matrix truth = written_out(model, (fresh.array() + 1) * 2);
  model.preprocessing = doubled_after_one_more();
  EXPECT_LT(largest(model.embed(fresh) - truth.transpose()), 1e-13);
}

TEST(ClusterModel, ManySamplesAreTakenInPiecesWithTheSameBits) {
  const Samples many = normal_samples(3, 20'000, 7);
  for (const ClusterModel& model : {landmark_clusters(), staged_clusters()}) {
    const Matrix together = model.embed(many);
    EXPECT_EQ(model.embed(many, 3), together);
    EXPECT_LT(largest(model.embed(many.middleCols(8190, 10)) - together.middleRows(8190, 10)), 1e-13);
    EXPECT_EQ(std::ssize(model.predict(many)), 20'000);
  }
  EXPECT_TRUE(landmark_clusters().predict(Samples(3, 0)).empty());
}

TEST(ClusterModel, RefusesSamplesOfAnotherWidth) {
  EXPECT_THAT(
      sentence(ErrorCategory::InvalidArgument, [] { landmark_clusters().embed(Samples::Zero(2, 1)); }),
      HasSubstr("2 features but the model was fitted on 3"));
}

TEST(ClusterModel, IsTheSameAfterReading) {
  const ModelFile file{.method = "federated-kmeans",
                       .use = "own",
                       .answers = {{"own", landmark_clusters()}, {"shared", staged_clusters()}}};
  const std::vector<std::byte> bytes = encode_model(file);
  const ModelFile back = decode_model(bytes, "m.npz");
  EXPECT_EQ(encode_model(back), bytes);
  const Samples fresh = normal_samples(3, 9, 4);
  for (const char* name : {"own", "shared"}) {
    const ClusterModel &before = require_clusters(file.answer(name)),
                       &after = require_clusters(back.answer(name));
    EXPECT_EQ(after.embed(fresh), before.embed(fresh));
    EXPECT_EQ(after.distances(fresh), before.distances(fresh));
    EXPECT_EQ(after.counts, before.counts);
    EXPECT_EQ(after.training_samples, before.training_samples);
    expect_three_features_and_no_components(back.answer(name));
  }
}

TEST(ClusterModel, HasNoComponentsAndNoTargets) {
  const Model model = landmark_clusters();
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { transform(model, normal_samples(3, 1, 1)); }),
              HasSubstr("use choir predict"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { require_machine(model); }),
              HasSubstr("was not fitted to targets"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { require_clusters(Model(LinearModel{})); }),
              HasSubstr("no clusters"));
}

}  // namespace
}  // namespace choir
