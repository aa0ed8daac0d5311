// The settings that methods share, one struct for each heading of the help, with the rows that set them. A
// method's own are in its Options; its settings are a struct that derives from Settings and has both
// (methods/).
//
//   OptionTable table;
//   add_data_rows(table);
//   add_component_rows(table);
//   table.at("tol").says("largest residual");
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "choir/kernel/kernel.h"
#include "choir/learn/components.h"
#include "choir/learn/privacy/privacy_options.h"
#include "choir/linalg/precision.h"
#include "choir/model/preprocessing.h"
#include "choir/model/recipe.h"
#include "choir/run/option.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir {

struct DataSettings {
  std::string data;    // a file, or a pattern with {node} or {rank}; "-": standard input
  std::string labels;  // a file, or a column of a csv file
  std::vector<std::int64_t> select_labels;
  double divide = 1;
  Standardize standardize = Standardize::none;
  Index nodes = 0;  // 0: not said
  std::string by = "iid";
  // How columns of tables become numbers (learn/tables/choose_recipe.h).
  std::string id;
  std::vector<std::string> columns;
  std::vector<std::string> drop;
  std::vector<std::string> categorical;  // "auto": all columns of words
  Missing missing = Missing::error;
  std::vector<std::string> na;
  std::string decimal = ".";
  Index min_count = 10;  // samples behind a category; of methods without a min_count of their own
};

struct KernelSettings {
  KernelKind kernel = KernelKind::rbf;
  GammaSpec gamma = {};
  int degree = 3;
  double coef0 = 1;
  bool normalized = false;
};

// How many, or the share of variance that they explain: "10", "0.9".
struct ComponentCount {
  Index count = 2;
  double fraction = 0;
};

struct ComponentSettings {
  ComponentCount n_components = {};
  Index max_components = 50;
  double tol = 1e-8;
  Index max_iter = 100;
  Precision precision = Precision::float64;
};

struct NetworkSettings {
  std::string topology = "auto";
  Duration deadline = std::chrono::seconds(60);
  LostPeers lost_peers = LostPeers::fail;
  bool yardsticks = false;
  bool keep_samples = false;
};

struct PrivacySettings {
  PrivacyOptions asked = {};
  std::string budget;                // a file; empty: nothing counts what earlier runs have spent
  std::optional<double> limit = {};  // epsilon of a new budget file
};

struct EngineSettings {
  std::string engine = "local";
  std::uint64_t random_state = 0;
  int threads = 0;  // 0: all cores
};

struct SimSettings {  // texts as they were typed; empty: not said
  std::string latency;
  double loss = 0;
  double duplicate = 0;
  bool reorder = false;
  std::vector<std::string> crash;
  std::vector<std::string> join;
  std::vector<std::string> partition;
  std::vector<std::string> slow;
  std::string trace;

  SimOptions options() const;  // without the trace. Throws Error(InvalidArgument).
};

struct FolderSettings {
  std::string out;
  bool force = false;
  bool report = false;
  bool watch = false;
  bool plan = false;  // say what would happen, and do nothing
  std::string config;
};

struct Settings : OptionTarget {
  DataSettings data = {};
  KernelSettings kernel = {};
  ComponentSettings components = {};
  NetworkSettings network = {};
  PrivacySettings privacy = {};
  EngineSettings engine = {};
  SimSettings sim = {};
  FolderSettings folder = {};
  // What a user raises whose run was too short; not an option itself.
  std::string longer = "--max-iter";

  // "auto" is ring:4 where there are enough nodes for it.
  std::string topology_for(Index nodes) const;
  // The same as types of the library. Throw Error(InvalidArgument).
  Kernel kernel_with(double gamma) const;
  Preprocessing preprocessing() const;  // without the sums of zscore
  ComponentChoice component_choice() const;
  RunOptions run_options() const;  // without watch and audit

  void take_kernel(const Kernel& from);  // all but gamma, which has a rule of its own
  void take_components(const ComponentChoice& choice);
};

// Those of them that a method's Options have.
template <class Options>
void take_shared_settings(const Settings& settings, Options& options) {
  if constexpr (requires { options.kpca; }) {
    take_shared_settings(settings, options.kpca);
  } else {
    options.kernel = settings.kernel_with(1);
  }
  if constexpr (requires { options.gamma; }) options.gamma = settings.kernel.gamma;
  if constexpr (requires { options.preprocessing; }) options.preprocessing = settings.preprocessing();
  if constexpr (requires { options.n_components; }) options.n_components = settings.component_choice();
  if constexpr (requires { options.tol; }) options.tol = settings.components.tol;
  if constexpr (requires { options.max_iter; }) options.max_iter = settings.components.max_iter;
  if constexpr (requires { options.precision; }) options.precision = settings.components.precision;
  if constexpr (requires { options.privacy; }) options.privacy = settings.privacy.asked;
}

// The other way round.
template <class Options>
void give_shared_settings(const Options& options, Settings& settings) {
  if constexpr (requires { options.kpca; }) {
    give_shared_settings(options.kpca, settings);
  } else {
    settings.take_kernel(options.kernel);
  }
  if constexpr (requires { options.gamma; }) {
    settings.kernel.gamma = options.gamma;
  } else if constexpr (requires { options.kernel.gamma; }) {
    settings.kernel.gamma = {.rule = GammaRule::number, .value = options.kernel.gamma};
  }
  if constexpr (requires { options.preprocessing; }) {
    settings.data.divide = options.preprocessing.divide;
    settings.data.standardize = options.preprocessing.standardize;
  }
  if constexpr (requires { options.n_components; }) settings.take_components(options.n_components);
  if constexpr (requires { options.tol; }) settings.components.tol = options.tol;
  if constexpr (requires { options.max_iter; }) settings.components.max_iter = options.max_iter;
  if constexpr (requires { options.precision; }) settings.components.precision = options.precision;
  if constexpr (requires { options.privacy; }) settings.privacy.asked = options.privacy;
}

void add_data_rows(OptionTable& table);
void remove_table_rows(OptionTable& table);
void add_min_count_row(OptionTable& table);  // of methods without one
void add_kernel_rows(OptionTable& table);
void add_component_rows(OptionTable& table);  // n-components, max-components, tol, max-iter, precision
void add_network_rows(OptionTable& table);
void add_privacy_rows(OptionTable& table);  // of methods whose Options have `privacy`
void add_engine_rows(OptionTable& table, const std::string& group);  // engine, random-state, threads
void add_sim_rows(OptionTable& table);
void add_folder_rows(OptionTable& table);

template <>
struct OptionType<ComponentCount> {
  static constexpr const char* unit = "D|SHARE";
  static ComponentCount parse(std::string_view option, std::string_view text);
  static std::string print(const ComponentCount& value);
  static std::vector<std::string> choices() { return {}; }
};

}  // namespace choir
