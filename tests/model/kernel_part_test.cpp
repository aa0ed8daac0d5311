#include "choir/model/kernel_part.h"

#include "kernel/kernels.h"
#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

const std::vector<Columns> three_parties = {{0, 3, 4}, {1}, {2, 5, 6}};

Matrix sum_of_contributions(const std::vector<KernelPart>& parts, const Samples& samples, int threads = 1) {
  Matrix sum = Matrix::Zero(samples.cols(), parts.front().numbers_a_sample());
  for (const KernelPart& part : parts) sum += part.contribution(rows_of(samples, part.columns), threads);
  return sum;
}

double difference(const PartedAnswer& answer, const KernelModel& whole, const Samples& samples) {
  return std::max(largest(answer.scores - whole.transform(samples)),
                  largest(answer.errors - whole.score(samples)));
}

std::vector<Kernel> kernels_in_parts() {
  std::vector<Kernel> kernels = test::every_kernel();
  std::erase_if(kernels, [](const Kernel& kernel) { return kernel.kind == KernelKind::laplacian; });
  return kernels;
}

TEST(KernelPart, PartsTogetherAnswerAsTheWholeUnderEveryKernel) {
  const Samples samples = normal_samples(7, 30, 1), fresh = 1.5 * normal_samples(7, 12, 2);
  for (const Kernel& kernel : kernels_in_parts()) {
    const KernelModel whole = fit_kpca(kernel, samples, 2).model;
    const auto parts = cut_into_parts(whole, three_parties);
    const PartedAnswer answer = parts[0].answer(sum_of_contributions(parts, fresh));
    EXPECT_LT(difference(answer, whole, fresh), 1e-11) << describe(kernel);
  }
}

TEST(KernelPart, OfTrainingSamplesTheScoresAreThoseOfTheEigenvectors) {
  const Samples samples = normal_samples(7, 30, 3);
  const FittedKpca fitted = fit_kpca({.gamma = 0.1}, samples, 3);
  const auto parts = cut_into_parts(fitted.model, three_parties);
  EXPECT_LT(largest(parts[0].answer(sum_of_contributions(parts, samples)).scores - fitted.scores), 1e-12);
}

// What the linear kernel's parties do who subtract their own means: nothing is left to centre.
TEST(KernelPart, SubtractsItsMeansFromSamplesAsFromItsPoints) {
  const Samples samples = normal_samples(7, 30, 4).array() + 5, fresh = normal_samples(7, 9, 5).array() + 5;
  const LinearModel whole = fit_pca(samples, 2);
  const Samples centred = samples.colwise() - whole.mean;
  auto parts = cut_into_parts(fit_kpca({.kind = KernelKind::linear}, centred, 2).model, three_parties);
  for (KernelPart& part : parts) part.mean = whole.mean(part.columns);
  parts[0].row_means.setZero();
  parts[0].grand_mean = 0;
  parts[0].coefficients = centred.transpose() * whole.components *
                          whole.eigenvalues.cwiseInverse().asDiagonal();  // V L^-1/2 of the same signs
  const PartedAnswer answer = parts[0].answer(sum_of_contributions(parts, fresh));
  EXPECT_LT(largest(answer.scores - whole.transform(fresh)), 1e-12);
  EXPECT_LT(largest(answer.errors - whole.score(fresh)), 1e-11);

  auto distances = cut_into_parts(fit_kpca({.gamma = 0.1}, centred, 2).model, three_parties);
  const auto unshifted = cut_into_parts(fit_kpca({.gamma = 0.1}, samples, 2).model, three_parties);
  for (KernelPart& part : distances) part.mean = whole.mean(part.columns);
  EXPECT_LT(largest(sum_of_contributions(distances, fresh) - sum_of_contributions(unshifted, fresh)), 1e-12);
}

TEST(KernelPart, EveryPartPreprocessesItsOwnFeatures) {
  const Samples samples = 50 * normal_samples(7, 30, 6), fresh = 50 * normal_samples(7, 8, 7);
  const Preprocessing zscore = fit_zscore(10, feature_moments(samples));
  Samples prepared = samples;
  zscore.apply(prepared);
  KernelModel whole = fit_kpca({.gamma = 0.1}, prepared, 2).model;
  whole.preprocessing = zscore;
  const auto parts = cut_into_parts(whole, three_parties);
  EXPECT_LT(difference(parts[0].answer(sum_of_contributions(parts, fresh)), whole, fresh), 1e-12);
}

// x'x + y'y - 2x'y would have no digit left here.
TEST(KernelPart, DistancesFarFromTheOriginKeepTheirDigits) {
  const Samples near = normal_samples(3, 20, 8), fresh = normal_samples(3, 5, 9);
  const double away = 1 << 27;  // so that adding it to multiples of 2^-20 loses nothing
  const auto rounded = [](const Samples& x) { return Samples((x * (1 << 20)).array().round() / (1 << 20)); };
  const auto moved = [&](const Samples& x) { return Samples(rounded(x).array() + away); };
  const auto here = cut_into_parts(fit_kpca({.gamma = 0.1}, rounded(near), 2).model, {{0, 1, 2}});
  const auto there = cut_into_parts(fit_kpca({.gamma = 0.1}, moved(near), 2).model, {{0, 1, 2}});
  EXPECT_LT(largest(here[0].contribution(rounded(fresh)) - there[0].contribution(moved(fresh))), 1e-6);
}

TEST(KernelPart, NeitherDistancesNorErrorsAreNegative) {
  const Samples samples = 1e3 * normal_samples(6, 40, 10);
  const auto rbf = cut_into_parts(fit_kpca({.gamma = 1e-7}, samples, 2).model, {{0, 1, 2}, {3, 4, 5}});
  EXPECT_GE(sum_of_contributions(rbf, samples).minCoeff(), 0);
  const auto linear =
      cut_into_parts(fit_kpca({.kind = KernelKind::linear}, samples, 6).model, {{0, 1, 2}, {3, 4, 5}});
  EXPECT_GE(linear[0].answer(sum_of_contributions(linear, samples)).errors.minCoeff(), 0);
  // Gossip's estimates may be off by a little.
  const Matrix below = Matrix::Constant(1, 40, -1e-9);
  EXPECT_LT(largest(rbf[0].answer(below).scores - rbf[0].answer(Matrix::Zero(1, 40)).scores), 1e-15);
}

// T squared distances; inner products need the sample's own length besides.
TEST(KernelPart, NoMoreNumbersLeaveAPartyThanTheKernelNeeds) {
  const Samples samples = normal_samples(7, 30, 11);
  for (const Kernel& kernel : kernels_in_parts()) {
    const auto parts = cut_into_parts(fit_kpca(kernel, samples, 2).model, three_parties);
    EXPECT_EQ(parts[1].contribution(rows_of(samples, parts[1].columns)).cols(),
              kernel.kind == KernelKind::rbf ? 30 : 31);
  }
}

TEST(KernelPart, BitsDoNotDependOnThreads) {
  const Samples samples = normal_samples(7, 600, 12);
  for (const Kernel& kernel : {Kernel{.gamma = 0.1}, Kernel{.kind = KernelKind::linear}}) {
    const auto parts = cut_into_parts(fit_kpca(kernel, samples, 2).model, three_parties);
    EXPECT_EQ(sum_of_contributions(parts, samples, 1), sum_of_contributions(parts, samples, 3));
  }
}

TEST(KernelPart, ExplainsTheVarianceOfTheWhole) {
  const KernelModel whole = fit_kpca({.gamma = 0.1}, normal_samples(7, 30, 13), 2).model;
  const auto parts = cut_into_parts(whole, three_parties);
  EXPECT_EQ(parts[0].explained_variance_ratio(), whole.explained_variance_ratio());
  EXPECT_EQ(parts[0].explained_variance(), whole.explained_variance());
  EXPECT_EQ(parts[1].explained_variance_ratio().size(), 0);
}

TEST(KernelPart, RefusesWhatDoesNotFit) {
  const auto parts =
      cut_into_parts(fit_kpca({.gamma = 0.1}, normal_samples(7, 30, 14), 2).model, three_parties);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { parts[0].contribution(Samples::Zero(4, 2)); }),
              HasSubstr("the samples have 4 features but the model was fitted on 3"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { parts[0].answer(Matrix::Zero(5, 31)); }),
              HasSubstr("contributions have 31 columns; those of this model have 30"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { parts[1].answer(Matrix::Zero(5, 30)); }),
              HasSubstr("only contributes to sums"));
  const Kernel cosine{.kind = KernelKind::linear, .normalized = true};
  const auto normalized = cut_into_parts(fit_kpca(cosine, normal_samples(7, 30, 14), 2).model, three_parties);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { normalized[0].answer(Matrix::Zero(2, 31)); }),
              HasSubstr("sample 0 has k(x,x) = 0"));
}

}  // namespace
}  // namespace choir
