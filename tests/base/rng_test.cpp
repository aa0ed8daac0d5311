#include "choir/base/rng.h"

#include <gtest/gtest.h>
TEST(Rng, Draws) {
  choir::Rng rng(0, choir::Purpose("x"));
  EXPECT_LT(rng.uniform(), 1.0);
}
