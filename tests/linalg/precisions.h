// Tests of both precisions.
#pragma once

#include <limits>

#include <gtest/gtest.h>

namespace choir::testing {

using Scalars = ::testing::Types<float, double>;

template <class Scalar>
class PrecisionTest : public ::testing::Test {
 protected:
  static constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();
};

}  // namespace choir::testing
