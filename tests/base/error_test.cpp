#include "choir/base/error.h"

#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Error, CarriesItsCategoryAndMessage) {
  const Error error(ErrorCategory::BadData, "the file is empty");
  EXPECT_EQ(error.category(), ErrorCategory::BadData);
  EXPECT_STREQ(error.what(), "the file is empty");
  EXPECT_EQ(error.cause(), nullptr);
}

TEST(Error, TellsTheWholeChainOfCauses) {
  const Error disk(ErrorCategory::Io, "no space left");
  const Error file(ErrorCategory::Io, "cannot write model-0.npz", disk);
  const Error run(ErrorCategory::Internal, "the run stopped", file);
  EXPECT_STREQ(run.what(), "the run stopped: cannot write model-0.npz: no space left");
  ASSERT_NE(run.cause(), nullptr);
  EXPECT_EQ(run.cause()->message(), "cannot write model-0.npz");
  ASSERT_NE(run.cause()->cause(), nullptr);
  EXPECT_EQ(run.cause()->cause()->category(), ErrorCategory::Io);
}

TEST(Error, OutlivesTheCauseItWasMadeFrom) {
  const Error error = [] {
    const Error cause(ErrorCategory::Io, "gone");
    return Error(ErrorCategory::BadData, "cannot read", cause);
  }();
  EXPECT_STREQ(error.cause()->what(), "gone");
}

TEST(Error, FailFormatsItsSentence) {
  try {
    fail(ErrorCategory::InvalidArgument, "gamma is {}; it must be positive", -1);
    FAIL() << "fail() returned";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "gamma is -1; it must be positive");
    EXPECT_EQ(to_string(error.category()), "invalid argument");
  }
}

template <class Thrown>
Error error_of(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return current_error();
  }
}

TEST(CurrentError, AnErrorKeepsItsCategoryAndItsWholeChain) {
  const Error cause(ErrorCategory::BadData, "row 3 is short");
  const Error error = error_of(Error(ErrorCategory::Io, "cannot read the shard", cause));
  EXPECT_EQ(error.category(), ErrorCategory::Io);
  EXPECT_STREQ(error.what(), "cannot read the shard: row 3 is short");
}

TEST(CurrentError, AnInterruptSaysWhatItMeansForTheUser) {
  const Error error = error_of(Error(ErrorCategory::Cancelled, "stopped on request"));
  EXPECT_EQ(error.category(), ErrorCategory::Cancelled);
  EXPECT_STREQ(error.what(), "interrupted; nothing was written");
}

TEST(CurrentError, WhatIsNotChoirsOwnGetsACategoryToo) {
  EXPECT_EQ(error_of(std::bad_alloc()).category(), ErrorCategory::OutOfMemory);
  const Error unexpected = error_of(std::runtime_error("strange"));
  EXPECT_EQ(unexpected.category(), ErrorCategory::Internal);
  EXPECT_STREQ(unexpected.what(), "unexpected: strange");
}

}  // namespace
}  // namespace choir
