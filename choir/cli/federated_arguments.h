// The options of `choir fit federated-kmeans`, as the user typed them.
//
//   FederatedArguments arguments;
//   add_federated_options(*command, arguments);
//   ...
//   const FederatedKmeansOptions method = method_of(arguments);
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "choir/cli/fit_options.h"
#include "choir/learn/federated_kmeans/options.h"

namespace choir::cli {

struct FederatedArguments {
  FitOptions fit;
  FederatedKmeansOptions method;  // its numbers are options; its choices are made from the words below
  std::string embedding{to_string(method.embedding)};
  std::string eigen_route{to_string(method.eigen_route)};
  std::string seeding{to_string(method.seeding)};
  std::string coordination{to_string(method.coordination)};
  std::string masks = "auto";  // on with a server, off without
  std::string patience;        // empty: the deadline

  FederatedArguments();
};

void add_federated_options(CLI::App& command, FederatedArguments& arguments);

// All of them in the library's words. Throws Error(InvalidArgument) for what cannot be.
FederatedKmeansOptions method_of(const FederatedArguments& arguments);

}  // namespace choir::cli
