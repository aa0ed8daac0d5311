// What a method sees of the run that it is part of.
//
//   context.resolve("gamma", 0.02);                        // the option was "median"
//   context.note("gamma was chosen from the data");
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "choir/base/progress.h"
#include "choir/model/recipe.h"
#include "choir/run/embedding.h"
#include "choir/run/job.h"
#include "choir/run/result.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/ledger.h"
#include "choir/runtime/process_group.h"

namespace choir {

// Of the run of the nodes that came before the method's own.
struct RecipeAgreementTraffic {
  KindSet kinds = {};
  Ledger ledger = {};
};

struct MethodContext {
  ProcessGroup& processes;
  JobData& data;
  RunOptions options;  // seed, threads, deadline, watch: given to everything that runs
  std::function<void(const std::string& sentence)> note;  // said now, before the end
  // How often the caller has asked so far that what was learned be saved; empty: nobody asks.
  std::function<std::uint64_t()> save_requests = {};
  bool draws = false;  // a page is wanted
  // In models, and on the page. Not where nodes show each other none, unless the user asks for it. Known from
  // fit() on.
  bool keeps_samples = true;
  Result result = {};  // filled in step by step
  // How tables become samples, for models; nothing: what files have are samples, by position.
  std::optional<Recipe> recipe = {};
  RecipeAgreementTraffic agreement = {};  // what nodes told each other about it
  EmbeddingSketch sketch = {};            // of the samples that a page shows

  // What an option came to stand for: "median" became a number.
  void resolve(const std::string& option, std::string value) {
    result.call.resolved[option] = std::move(value);
  }
  void resolve(const std::string& option, double value) { resolve(option, fmt::format("{}", value)); }
  Engine& engine() { return processes.engine(); }
};

}  // namespace choir
