#include "choir/crypto/sha256.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Sha256, OfKnownTexts) {
  const std::string text = "abc";
  EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(std::as_bytes(std::span(text))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace choir
