#include "choir/kernel/bandwidth.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

// sklearn.svm.SVR(gamma="scale")._gamma of the same samples.
TEST(GammaScale, AgreesWithScikitLearn) {
  EXPECT_NEAR(gamma_scale(three_groups()), 0.08449127905506644, 1e-15);
}

TEST(GammaScale, MomentsOfPartsGiveTheGammaOfTheWhole) {
  for (const double offset : {0.0, 1e6}) {
    const Samples x = three_groups().array() + offset;
    Moments entries = entry_moments(x.leftCols(13));
    entries += entry_moments(x.middleCols(13, 20));
    entries += entry_moments(x.rightCols(27));
    EXPECT_NEAR(gamma_scale(x.rows(), entries) / gamma_scale(x), 1, offset > 0 ? 1e-10 : 1e-14);
  }
}

TEST(GammaScale, KeepsItsDigitsFarFromTheOrigin) {
  const Samples x = three_groups();
  EXPECT_NEAR(gamma_scale((x.array() + 1e6).matrix()), gamma_scale(x), 1e-11);
}

// numpy.median(scipy.spatial.distance.pdist(X, "sqeuclidean"))
TEST(GammaMedian, OfFewSamplesIsExact) {
  EXPECT_NEAR(gamma_median(three_groups(), 0), 0.018385420203923242, 1e-15);
  EXPECT_EQ(gamma_median(three_groups(), 0), gamma_median(three_groups(), 1));
}

TEST(GammaMedian, OfManySamplesIsCloseToExactAndFollowsTheSeed) {
  const Samples x = normal_samples(5, 1000, 60);
  std::vector<double> distances;
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < j; ++i) distances.push_back((x.col(i) - x.col(j)).squaredNorm());
  }
  std::nth_element(distances.begin(), distances.begin() + static_cast<Index>(distances.size() / 2),
                   distances.end());
  const double exact = 1 / (2 * distances[distances.size() / 2]);
  EXPECT_NEAR(gamma_median(x, 1) / exact, 1, 0.02);
  EXPECT_EQ(gamma_median(x, 1), gamma_median(x, 1));
  EXPECT_NE(gamma_median(x, 1), gamma_median(x, 2));
}

TEST(GammaMedian, StandsInByTheMeanSquaredDistanceOfAllPairs) {
  const Samples x = three_groups();
  double sum = 0;
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.cols(); ++i) sum += (x.col(i) - x.col(j)).squaredNorm();
  }
  const double mean = sum / static_cast<double>(x.cols() * x.cols());
  EXPECT_NEAR(gamma_median_stand_in(feature_moments(x)) * 2 * mean, 1, 1e-13);
}

TEST(GammaSpec, IsReadBackAsWritten) {
  for (const char* text : {"scale", "median", "0.25", "2e-07"}) EXPECT_EQ(to_string(parse_gamma(text)), text);
}

TEST(GammaSpec, ResolvesByItsRule) {
  const Samples x = three_groups();
  EXPECT_EQ(resolve_gamma(parse_gamma("0.5"), x, 3), 0.5);
  EXPECT_EQ(resolve_gamma(parse_gamma("scale"), x, 3), gamma_scale(x));
  EXPECT_EQ(resolve_gamma(parse_gamma("median"), x, 3), gamma_median(x, 3));
}

TEST(GammaSpec, BadNumbersAreNamed) {
  for (const char* text : {"0", "-2.5", "inf", "nan"}) {
    EXPECT_THAT(message_of([&] { parse_gamma(text); }), HasSubstr(std::string("gamma is ") + text)) << text;
  }
  EXPECT_THAT(message_of([] { parse_gamma("auto"); }),
              ::testing::AllOf(HasSubstr("\"auto\""), HasSubstr("scale or median")));
}

TEST(Gamma, ConstantDataAreRefused) {
  for (const double value : {0.0, 0.1, 1e9}) {
    const Samples constant = Samples::Constant(3, 50, value);
    for (const char* rule : {"scale", "median"}) {
      EXPECT_THAT(message_of([&] { resolve_gamma(parse_gamma(rule), constant, 0); }),
                  ::testing::AllOf(HasSubstr("all samples are equal"), HasSubstr(rule)));
    }
    EXPECT_THAT(message_of([&] { gamma_scale(3, entry_moments(constant)); }),
                HasSubstr("all samples are equal"));
    EXPECT_THAT(message_of([&] { gamma_median_stand_in(feature_moments(constant)); }),
                HasSubstr("all samples are equal"));
  }
  Samples repeated(2, 4);  // the features differ, the samples do not
  repeated << 1, 1, 1, 1, 5, 5, 5, 5;
  EXPECT_THAT(message_of([&] { gamma_scale(repeated); }), HasSubstr("all samples are equal"));
}

TEST(Gamma, TooFewOrMostlyEqualSamplesAreRefused) {
  EXPECT_THAT(message_of([] { gamma_scale(Samples::Ones(3, 1)); }), HasSubstr("at least two samples"));
  Samples mostly = Samples::Zero(2, 20);
  mostly.col(7).setOnes();
  EXPECT_THAT(message_of([&] { gamma_median(mostly, 0); }), HasSubstr("half of all pairs"));
}

}  // namespace
}  // namespace choir
