#include "choir/run/settings.h"

#include "choir/runtime/engines.h"

namespace choir {
namespace {

template <class Parse>
auto parsed_all(const char* option, const std::vector<std::string>& texts, Parse parse) {
  std::vector<decltype(parse(std::string_view()))> values;
  for (const std::string& text : texts) {
    try {
      values.push_back(parse(text));
    } catch (const Error& cause) {
      throw Error(cause.category(), option, cause);
    }
  }
  return values;
}

constexpr const char* tables_group = "Tables";

void add_table_rows(OptionTable& table) {
  OptionGroup<Settings, DataSettings> group(
      table, tables_group, [](Settings & s) -> auto& { return s.data; });
  group
      .add("id", &DataSettings::id,
           "the column that says who each row is, by name or number; never a feature")
      .named("COLUMN");
  group
      .add("columns", &DataSettings::columns,
           "columns to learn from, by name, number, or beginning: age,lab_* (default: all)")
      .named("COLUMNS");
  group.add("drop", &DataSettings::drop, "columns to leave out, by name, number, or beginning")
      .named("COLUMNS");
  group
      .add("categorical", &DataSettings::categorical,
           "columns that become a feature per category; auto: all columns of words")
      .named("COLUMNS");
  group.add(
      "missing", &DataSettings::missing,
      "a missing cell: refuse it, fill it with the mean of all nodes, drop its row, or fill and mark it");
  group.add("na", &DataSettings::na, "further words for a missing cell, beside ?, NA, N/A, nan and null")
      .named("WORDS");
  group.add("decimal", &DataSettings::decimal, "the decimal point of text files").one_of({".", ","});
}

}  // namespace

ComponentCount OptionType<ComponentCount>::parse(std::string_view option, std::string_view text) {
  const auto share = parse_number(text);
  if (share && *share > 0 && *share < 1) return {.count = 0, .fraction = *share};
  const auto count = parse_integer(text);
  if (!count || *count < 1) {
    refuse_option(option, text, "a positive integer, or a share of variance between 0 and 1");
  }
  return {.count = static_cast<Index>(*count), .fraction = 0};
}

std::string OptionType<ComponentCount>::print(const ComponentCount& value) {
  return value.fraction > 0 ? fmt::format("{}", value.fraction) : fmt::format("{}", value.count);
}

SimOptions SimSettings::options() const {
  SimOptions options;
  if (!latency.empty()) options.latency = parsed_all("--sim-latency", {latency}, parse_latency).front();
  options.loss = loss;
  options.duplicate = duplicate;
  options.reorder = reorder;
  options.crashes = parsed_all("--sim-crash", crash, parse_node_time);
  options.joins = parsed_all("--sim-join", join, parse_node_time);
  options.partitions = parsed_all("--sim-partition", partition, parse_partition_fault);
  options.slow = parsed_all("--sim-slow", slow, parse_slow_node);
  return options;
}

std::string Settings::topology_for(Index nodes) const {
  if (network.topology != "auto") return network.topology;
  return nodes < 5 ? "complete" : "ring:4";
}

Kernel Settings::kernel_with(double gamma) const {
  const Kernel result{.kind = kernel.kernel,
                      .gamma = gamma,
                      .degree = kernel.degree,
                      .coef0 = kernel.coef0,
                      .normalized = kernel.normalized};
  validate(result);
  return result;
}

Preprocessing Settings::preprocessing() const {
  Preprocessing result;
  result.divide = data.divide;
  result.standardize = data.standardize;
  return result;
}

ComponentChoice Settings::component_choice() const {
  return {.count = components.n_components.count,
          .fraction = components.n_components.fraction,
          .max_count = components.max_components};
}

void Settings::take_kernel(const Kernel& from) {
  kernel.kernel = from.kind;
  kernel.degree = from.degree;
  kernel.coef0 = from.coef0;
  kernel.normalized = from.normalized;
}

void Settings::take_components(const ComponentChoice& choice) {
  components.n_components = {.count = choice.by_fraction() ? 0 : choice.count, .fraction = choice.fraction};
  components.max_components = choice.max_count;
}

RunOptions Settings::run_options() const {
  RunOptions options;
  options.seed = engine.random_state;
  options.threads = engine.threads;
  options.deadline = network.deadline;
  options.lost_peers = network.lost_peers;
  return options;
}

void add_data_rows(OptionTable& table) {
  OptionGroup<Settings, DataSettings> group(
      table, "Data", [](Settings & s) -> auto& { return s.data; });
  group.add("data", &DataSettings::data, "a file, or a pattern of shards: part-{node}.npy")
      .named("FILE")
      .own()
      .needed()
      .in_short_help();
  group.add("labels", &DataSettings::labels, "a file of labels, or a column of a csv file")
      .named("FILE")
      .own()
      .in_short_help();
  group.add("select-labels", &DataSettings::select_labels, "keep only the samples with these labels: 0,3,5,8")
      .named("LABELS");
  group.add("divide", &DataSettings::divide, "divide every value by this number, such as 255 for pixels")
      .above(0);
  group
      .add("standardize", &DataSettings::standardize,
           "unit gives every sample length 1; zscore gives every feature mean 0 and variance 1")
      .in_short_help();
  group
      .add("nodes", &DataSettings::nodes,
           "number of nodes that the data are spread over; 0: one for each {rank} of --data")
      .named("J")
      .at_least(0)
      .in_short_help();
  group.add("by", &DataSettings::by, "how one file is distributed: iid, label:K, sizes:A..B").named("RULE");
  add_table_rows(table);
}

void remove_table_rows(OptionTable& table) {
  for (const char* name : {"id", "columns", "drop", "categorical", "missing", "na", "decimal"})
    table.remove(name);
}

void add_min_count_row(OptionTable& table) {
  OptionGroup<Settings, DataSettings> group(
      table, tables_group, [](Settings & s) -> auto& { return s.data; });
  group
      .add("min-count", &DataSettings::min_count,
           "samples of all nodes behind every category of a table; rarer ones are one")
      .at_least(1);
}

void add_kernel_rows(OptionTable& table) {
  OptionGroup<Settings, KernelSettings> group(
      table, "Kernel", [](Settings & s) -> auto& { return s.kernel; });
  group.add("kernel", &KernelSettings::kernel, "kernel function").in_short_help();
  group
      .add("gamma", &KernelSettings::gamma, "a number, scale = 1 / (M Var X), or median = 1 / (2 median d^2)")
      .in_short_help();
  group.add("degree", &KernelSettings::degree, "degree of poly").at_least(1);
  group.add("coef0", &KernelSettings::coef0, "constant term of poly and sigmoid");
  group.add("normalized", &KernelSettings::normalized, "divide by sqrt(k(x,x) k(y,y))");
}

void add_component_rows(OptionTable& table) {
  OptionGroup<Settings, ComponentSettings> group(
      table, "Components", [](Settings & s) -> auto& { return s.components; });
  group
      .add("n-components", &ComponentSettings::n_components,
           "number of components, or the share of variance that they explain: 10, or 0.9")
      .in_short_help();
  group
      .add("max-components", &ComponentSettings::max_components,
           "largest number of components, where --n-components is a share of variance")
      .at_least(1);
  group.add("tol", &ComponentSettings::tol, "largest residual").at_least(0);
  group.add("max-iter", &ComponentSettings::max_iter, "largest number of eigensolver restarts");
  group.add("precision", &ComponentSettings::precision, "precision of the large arrays");
}

void add_network_rows(OptionTable& table) {
  OptionGroup<Settings, NetworkSettings> group(
      table, "Network", [](Settings & s) -> auto& { return s.network; });
  group
      .add("topology", &NetworkSettings::topology,
           "who talks to whom, see choir topology --help; auto: ring:4, or complete for fewer than 5 nodes")
      .named("SPEC")
      .in_short_help();
  group.add("deadline", &NetworkSettings::deadline, "how long a node waits for a message from another node");
  group.add("lost-peers", &NetworkSettings::lost_peers,
            "what the run does when a node is lost: end (exit 4), or continue without it");
  group
      .add("yardsticks", &NetworkSettings::yardsticks,
           "compare with the local, gathered, central and best possible answers")
      .in_short_help();
  group
      .add("keep-samples", &NetworkSettings::keep_samples,
           "keep a node's own samples in its model and draw samples on the page, where nodes exchange no "
           "samples")
      .own();
}

void add_privacy_rows(OptionTable& table) {
  OptionGroup<Settings, PrivacyOptions> group(
      table, "Differential privacy", [](Settings & s) -> auto& { return s.privacy.asked; });
  group
      .add("privacy", &PrivacyOptions::epsilon, "off",
           "epsilon of differential privacy for each sample; every figure of the run is then noisy, or left "
           "out")
      .named("EPSILON")
      .above(0)
      .in_short_help();
  group.add("delta", &PrivacyOptions::delta, "delta of differential privacy").above(0).below(1);
  group
      .add("clip", &PrivacyOptions::clip, "none",
           "shorten samples to this length, where the kernel bounds no length")
      .named("C")
      .above(0);
  OptionGroup<Settings, PrivacySettings> budget(
      table, "Differential privacy", [](Settings & s) -> auto& { return s.privacy; });
  budget
      .add("privacy-budget", &PrivacySettings::budget,
           "a file that adds up what runs over these data have spent; a run beyond its limit is refused")
      .named("FILE")
      .own();
  budget
      .add("privacy-limit", &PrivacySettings::limit, "none",
           "epsilon that all runs together may spend, for a new --privacy-budget file")
      .named("EPSILON")
      .above(0)
      .own();
}

void add_engine_rows(OptionTable& table, const std::string& title) {
  OptionGroup<Settings, EngineSettings> group(
      table, title, [](Settings & s) -> auto& { return s.engine; });
  group.add("engine", &EngineSettings::engine, "where the nodes run").one_of(engine_names()).in_short_help();
  group.add("random-state", &EngineSettings::random_state, "seed of all random numbers").in_short_help();
  group.add("threads", &EngineSettings::threads, "threads of this process; 0: all cores").at_least(0).own();
}

void add_sim_rows(OptionTable& table) {
  OptionGroup<Settings, SimSettings> group(
      table, "Simulator (--engine sim)", [](Settings & s) -> auto& { return s.sim; });
  group
      .add("sim-latency", &SimSettings::latency,
           "how long messages take: 5ms, 1ms..5ms or 1ms+exp:2ms (default: 1ms)")
      .named("TIME");
  group.add("sim-loss", &SimSettings::loss, "share of messages that are lost").at_least(0).below(1);
  group.add("sim-duplicate", &SimSettings::duplicate, "share of messages that arrive twice")
      .at_least(0)
      .below(1);
  group.add("sim-reorder", &SimSettings::reorder, "messages may overtake each other");
  group.add("sim-crash", &SimSettings::crash, "a node that dies, and when: 3@10s").named("NODE@TIME");
  group.add("sim-join", &SimSettings::join, "a node that starts late, and when: 7@5s").named("NODE@TIME");
  group.add("sim-partition", &SimSettings::partition, "nodes that are cut off for a while: 2..5@10s..20s")
      .named("NODES@TIMES");
  group.add("sim-slow", &SimSettings::slow, "a slow node, and how many times slower: 4x10")
      .named("NODExFACTOR");
  group.add("sim-trace", &SimSettings::trace, "a file for one line per event; it is kept if the run fails")
      .named("FILE")
      .own();
}

void add_folder_rows(OptionTable& table) {
  OptionGroup<Settings, FolderSettings> group(
      table, "Run", [](Settings & s) -> auto& { return s.folder; });
  group.add("out", &FolderSettings::out, "a folder for the result")
      .named("FOLDER")
      .own()
      .needed()
      .in_short_help();
  group.add("force", &FolderSettings::force, "replace an earlier run in that folder").about_the_call();
  group.add("report", &FolderSettings::report, "also write report.html, a page that shows the run")
      .own()
      .in_short_help();
  group.add("watch", &FolderSettings::watch, "show progress, traffic and slow nodes during the run").own();
  group
      .add("plan", &FolderSettings::plan,
           "print who talks to whom, what may leave a node and how much memory it takes; run nothing")
      .about_the_call();
  group
      .add("config", &FolderSettings::config,
           "a TOML file with these options; the command line takes precedence")
      .named("FILE")
      .about_the_call();
}

}  // namespace choir
