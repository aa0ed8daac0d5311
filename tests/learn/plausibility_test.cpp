#include "choir/learn/plausibility.h"

#include <limits>

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/kernel/gram.h"

namespace choir {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Plausibility, WhatCannotBeNamesItsSender) {
  EXPECT_NO_THROW(require_possible(true, 3, "a summary", "its trace is negative"));
  EXPECT_THAT(message_of(ErrorCategory::PeerLost,
                         [] { require_possible(false, 3, "a summary", "its trace is negative"); }),
              AllOf(HasSubstr("node 3 sent a summary"), HasSubstr("its trace is negative")));
}

Received received(Message message) { return {.position = 0, .from = 7, .message = std::move(message)}; }

TEST(Plausibility, AnArrayHasTheShapeThatWasExpectedAndIsFinite) {
  Message message(Kind::coefficients);
  message.array(Matrix::Ones(2, 3).eval())
      .array(Array(Matrix{{1, std::numeric_limits<double>::quiet_NaN()}}));
  message.array(Array(MatrixOf<std::int64_t>::Ones(2, 3).eval()));
  const Received mail = received(message);
  EXPECT_EQ(matrix_from(mail, 0, 2, 3, "projections"), Matrix::Ones(2, 3));
  const auto refusal = [&](std::size_t index, Index rows, Index columns) {
    return message_of(ErrorCategory::PeerLost,
                      [&] { matrix_from(mail, index, rows, columns, "projections"); });
  };
  EXPECT_THAT(refusal(0, 3, 2), AllOf(HasSubstr("node 7 sent projections"), HasSubstr("2 x 3 where 3 x 2")));
  EXPECT_THAT(refusal(1, 1, 2), HasSubstr("not finite"));
  EXPECT_THAT(refusal(2, 2, 3), HasSubstr("an array is missing"));
  EXPECT_THAT(refusal(3, 2, 3), HasSubstr("an array is missing"));
}

TEST(Plausibility, BoundsHoldButForRounding) {
  EXPECT_TRUE(is_at_most(1 + 1e-9, 1));
  EXPECT_FALSE(is_at_most(1.01, 1));
  EXPECT_FALSE(is_at_most(std::numeric_limits<double>::quiet_NaN(), 1));
  EXPECT_TRUE(is_mass(0));
  for (const double none : {-1., std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_FALSE(is_mass(none));
}

// The truth is the kernel itself, of samples near and far.
TEST(Plausibility, NoSampleIsLongerThanItsKernelAllows) {
  const Samples samples{{1e-3, 1, 30}, {2e-3, -2, 40}};
  for (const KernelKind kind :
       {KernelKind::rbf, KernelKind::laplacian, KernelKind::cosine, KernelKind::poly}) {
    for (const bool normalized : {false, true}) {
      const Kernel kernel{.kind = kind, .gamma = 0.5, .normalized = normalized};
      const double longest = gram<double>(kernel, samples, samples).diagonal().maxCoeff();
      EXPECT_TRUE(is_at_most(longest, largest_square(kernel))) << describe(kernel);
    }
  }
  EXPECT_TRUE(fit_the_kernel(10, 10, 1));
  EXPECT_FALSE(fit_the_kernel(10.1, 10, 1));
  EXPECT_TRUE(fit_the_kernel(1e300, 0, std::numeric_limits<double>::infinity()));
}

}  // namespace
}  // namespace choir
