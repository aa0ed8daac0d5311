#include "choir/model/preprocessing.h"

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

Preprocessing zscore_of(const Samples& samples, double divide) {
  return fit_zscore(divide, feature_moments(samples));
}

TEST(Preprocessing, ZscoreGivesMeanZeroAndVarianceOne) {
  Samples samples = 40 * normal_samples(5, 300, 1);
  samples.row(2).array() += 1000;
  zscore_of(samples, 255).apply(samples);
  EXPECT_LT(largest(samples.rowwise().mean()), 1e-12);
  EXPECT_LT(largest((samples.rowwise().squaredNorm() / 300.0).array() - 1), 1e-9);
}

TEST(Preprocessing, AConstantFeatureIsOnlyCentred) {
  Samples samples = normal_samples(3, 100'000, 2);
  samples.row(1).setConstant(0.1);  // 0.1 has no exact sum
  const Preprocessing zscore = zscore_of(samples, 1);
  EXPECT_EQ(zscore.scale[1], 1);
  EXPECT_NEAR(zscore.mean[1], 0.1, 1e-11);
  EXPECT_NEAR(zscore.scale[0], 1, 0.02);
}

// One-hot features stay 0 and 1, whatever is divided, as a table's other features are scaled.
TEST(Preprocessing, ZscoreLeavesIndicatorsAsTheyAre) {
  Samples samples = 40 * normal_samples(4, 300, 1);
  samples.bottomRows(2) = (samples.bottomRows(2).array() > 10).cast<double>();
  const Samples raw = samples;
  const Preprocessing zscore = fit_zscore({.divide = 8, .indicators = 2}, feature_moments(samples));
  zscore.apply(samples);
  EXPECT_EQ(samples.bottomRows(2), raw.bottomRows(2));
  EXPECT_LT(largest(samples.topRows(2).rowwise().mean()), 1e-12);
  zscore.undo(samples);
  EXPECT_LT(largest(samples - raw), 1e-12);
}

TEST(Preprocessing, UnitGivesLengthOneAndLeavesZeroAlone) {
  Samples samples = normal_samples(4, 10, 3);
  samples.col(7).setZero();
  const Samples before = samples;
  Preprocessing{.divide = 3, .standardize = Standardize::unit}.apply(samples);
  EXPECT_NEAR(samples.col(0).norm(), 1, 1e-15);
  EXPECT_NEAR(samples.col(0).dot(before.col(0)), before.col(0).norm(), 1e-14);
  EXPECT_TRUE(samples.col(7).isZero(0));
}

TEST(Preprocessing, UndoGoesBack) {
  const Samples samples = normal_samples(4, 20, 4);
  for (const Preprocessing& way : {Preprocessing{}, Preprocessing{.divide = 255}, zscore_of(samples, 0.5)}) {
    Samples there_and_back = samples;
    way.apply(there_and_back);
    way.undo(there_and_back);
    EXPECT_LT(largest(there_and_back - samples), 1e-14);
  }
  Samples unit = samples;
  const Preprocessing way{.divide = 255, .standardize = Standardize::unit};
  way.apply(unit);
  way.undo(unit);
  EXPECT_NEAR(unit.col(3).norm(), 255, 1e-12);
  EXPECT_LT(largest(unit.col(3) / 255 - samples.col(3).normalized()), 1e-15);
}

TEST(Preprocessing, IsAppliedToACopyOfSomeColumns) {
  const Samples samples = normal_samples(3, 10, 5);
  Samples all = samples;
  const Preprocessing way = zscore_of(samples, 2);
  way.apply(all);
  EXPECT_EQ(way.applied(samples, 4, 3), all.middleCols(4, 3));
}

TEST(Preprocessing, NamesItsChoices) {
  for (const Standardize choice : {Standardize::none, Standardize::unit, Standardize::zscore})
    EXPECT_EQ(parse_choice<Standardize>("standardize", to_string(choice)), choice);
  EXPECT_THAT(
      sentence(ErrorCategory::InvalidArgument, [] { parse_choice<Standardize>("standardize", "minmax"); }),
      HasSubstr("'minmax'; it must be one of none, unit, zscore"));
}

TEST(Preprocessing, RefusesWhatCannotBe) {
  const auto refusal = [](const Preprocessing& way) {
    return sentence(ErrorCategory::InvalidArgument, [&] { validate(way, 2); });
  };
  EXPECT_THAT(refusal({.divide = 0}), HasSubstr("divide is 0"));
  EXPECT_THAT(refusal({.divide = NAN}), HasSubstr("divide is nan"));
  EXPECT_THAT(
      refusal({.standardize = Standardize::zscore, .mean = Vector::Zero(3), .scale = Vector::Ones(3)}),
      HasSubstr("3 means and 3 scales for samples of 2 features"));
  EXPECT_THAT(
      refusal({.standardize = Standardize::zscore, .mean = Vector::Zero(2), .scale = Vector::Zero(2)}),
      HasSubstr("positive scales"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { fit_zscore(1, feature_moments(Samples(2, 0))); }),
              HasSubstr("at least one sample"));
}

}  // namespace
}  // namespace choir
