#include "choir/linalg/blas_core.h"

#include <gtest/gtest.h>

#include "choir/linalg/blas.h"

namespace choir {
namespace {

TEST(BlasCore, OldKernelsAreReplacedByThoseOfTheProcessor) {
  EXPECT_EQ(better_blas_core("Prescott", {.avx2 = true, .avx512 = true}), "SkylakeX");
  EXPECT_EQ(better_blas_core("Nehalem", {.avx2 = true}), "Haswell");
}

TEST(BlasCore, WhatTheProcessorCannotDoIsNotAskedFor) { EXPECT_EQ(better_blas_core("Prescott", {}), ""); }

TEST(BlasCore, KernelsThatWereChosenForTheProcessorStay) {
  for (const char* chosen : {"Haswell", "SkylakeX", "Zen", "Cooperlake", ""}) {
    EXPECT_EQ(better_blas_core(chosen, {.avx2 = true, .avx512 = true}), "") << chosen;
  }
}

TEST(BlasCore, TheDescriptionNamesIt) { EXPECT_NE(blas_description().find(blas_core()), std::string::npos); }

}  // namespace
}  // namespace choir
