// The options of `choir fit oneshot-kpca`, as the user typed them.
//
//   OneshotArguments arguments;
//   add_oneshot_options(*command, arguments);
//   ...
//   const OneshotKpcaOptions method = method_of(arguments);
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "choir/cli/fit_options.h"
#include "choir/learn/oneshot_kpca/options.h"

namespace choir::cli {

struct OneshotArguments {
  FitOptions fit;
  OneshotKpcaOptions method;  // its numbers are options; its choices are made from the words below
  std::string estimator{to_string(method.estimator)};
  std::string fusion{to_string(method.fusion)};
  std::string local_components = "adaptive";
  std::string epsilon = "auto";
  std::string key;
  bool assume_same_order = false;
};

void add_oneshot_options(CLI::App& command, OneshotArguments& arguments);

// All of them in the library's words. Throws Error(InvalidArgument) for what cannot be, shards among it whose
// rows nothing holds together.
OneshotKpcaOptions method_of(const OneshotArguments& arguments);

// What the parties' message is made of: without a centre there is no product of local kernels.
Estimator effective_estimator(const OneshotKpcaOptions& method);

}  // namespace choir::cli
