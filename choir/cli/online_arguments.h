// The options of `choir fit online-kernel`, as the user typed them.
//
//   OnlineArguments arguments;
//   add_online_options(*command, arguments);
//   ...
//   const OnlineKernelOptions method = method_of(arguments);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "choir/cli/fit_options.h"
#include "choir/learn/online_kernel/options.h"

namespace choir::cli {

struct OnlineArguments {
  FitOptions fit;
  OnlineKernelOptions method;  // its numbers are options; its choices are made from the words below
  std::string loss{to_string(method.loss)};
  std::string consensus{to_string(method.consensus)};
  std::string eta = "auto";
  std::string epsilon = "auto";
  std::string classes;  // empty: found in the labels
  Index passes = 1;

  std::string test;         // a file of samples that nobody learns from; empty: none
  std::string test_labels;  // its labels; empty: as --labels

  std::string checkpoint;  // a folder; empty: none
  Index checkpoint_every = 10000;
  bool resume = false;

  OnlineArguments();
};

void add_online_options(CLI::App& command, OnlineArguments& arguments);

// All of them in the library's words, but for the classes if they were not said. Throws
// Error(InvalidArgument) for what cannot be.
OnlineKernelOptions method_of(const OnlineArguments& arguments);

}  // namespace choir::cli
