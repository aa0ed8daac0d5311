#include "choir/kernel/kernel.h"

#include <limits>

#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

TEST(Kernel, NamesAreReadBackAsTheyAreWritten) {
  for (const auto kind : {KernelKind::rbf, KernelKind::linear, KernelKind::poly, KernelKind::laplacian,
                          KernelKind::sigmoid, KernelKind::cosine}) {
    EXPECT_EQ(parse_choice<KernelKind>("kernel", to_string(kind)), kind);
  }
}

TEST(Kernel, AnUnknownNameIsAnsweredWithTheChoices) {
  const std::string message = message_of([] { parse_choice<KernelKind>("kernel", "gauss"); });
  EXPECT_THAT(message, HasSubstr("'gauss'"));
  EXPECT_THAT(message, HasSubstr("rbf, linear, poly, laplacian, sigmoid, cosine"));
}

TEST(Kernel, DescriptionsNameWhatTheKernelUsesAndNothingElse) {
  EXPECT_EQ(describe({.kind = KernelKind::rbf, .gamma = 2e-7}), "rbf (gamma 2e-07)");
  EXPECT_EQ(describe({.kind = KernelKind::linear}), "linear");
  EXPECT_EQ(describe({.kind = KernelKind::cosine, .normalized = true}), "cosine (normalized)");
  EXPECT_EQ(describe({.kind = KernelKind::poly, .gamma = 0.5, .degree = 4, .coef0 = 2}),
            "poly (gamma 0.5, degree 4, coef0 2)");
  EXPECT_EQ(describe({.kind = KernelKind::sigmoid, .gamma = 0.5, .coef0 = -1}),
            "sigmoid (gamma 0.5, coef0 -1)");
}

TEST(Kernel, ParametersOutOfRangeAreNamed) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto complaint = [](const Kernel& kernel) { return message_of([&] { validate(kernel); }); };
  EXPECT_THAT(complaint({.kind = KernelKind::rbf, .gamma = 0}), HasSubstr("gamma is 0"));
  EXPECT_THAT(complaint({.kind = KernelKind::laplacian, .gamma = -2}), HasSubstr("gamma is -2"));
  EXPECT_THAT(complaint({.kind = KernelKind::sigmoid, .gamma = infinite}), HasSubstr("gamma is inf"));
  EXPECT_THAT(complaint({.kind = KernelKind::poly, .degree = 0}), HasSubstr("degree is 0"));
  EXPECT_THAT(complaint({.kind = KernelKind::poly, .coef0 = std::nan("")}), HasSubstr("coef0 is nan"));
}

TEST(Kernel, ParametersThatAreNotUsedAreNotChecked) {
  EXPECT_NO_THROW(validate({.kind = KernelKind::linear, .gamma = -1, .degree = 0}));
  EXPECT_NO_THROW(validate({.kind = KernelKind::rbf, .gamma = 1, .degree = 0}));
}

}  // namespace
}  // namespace choir
