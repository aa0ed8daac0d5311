#include "choir/cli/gossip_arguments.h"

#include <fmt/format.h>

#include "choir/base/choices.h"
#include "choir/base/deadline.h"
#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/parsed.h"

namespace choir::cli {
namespace {

// Nodes of a complete graph keep something for every other; so many links a node mix nearly as well.
constexpr Index largest_complete = 64;
constexpr double mean_degree = 20;

constexpr ChoiceNames<bool, 2> link_names = {{{true, "acknowledged"}, {false, "plain"}}};

bool is_linear(const Kernel& kernel) { return kernel.kind == KernelKind::linear && !kernel.normalized; }

FeatureKind features_of(const GossipArguments& arguments, const Kernel& kernel) {
  if (arguments.features != "auto") return parse_feature_kind(arguments.features);
  return is_linear(kernel) ? FeatureKind::none : FeatureKind::landmarks;
}

std::optional<Duration> parse_half_life(const std::string& text) {
  if (text == "none") return std::nullopt;
  return parsed("--half-life", text, parse_duration);
}

Stream parse_stream(const std::string& text) {
  const std::size_t at = text.find('@');
  const auto count = parse_integer(text.substr(0, at));
  Duration interval{};
  if (at != std::string::npos) interval = parsed("--stream", text.substr(at + 1), parse_duration);
  if (!count || *count < 1 || interval <= Duration::zero()) {
    fail(ErrorCategory::InvalidArgument,
         "stream is '{}'; it must be a number of samples and the time between them, like 50@100ms", text);
  }
  return {.count = static_cast<Index>(*count), .interval = interval};
}

void refuse_contradictions(const GossipArguments& arguments, const GossipPcaOptions& method) {
  if (method.division == Division::samples && arguments.fit.by == "features") {
    throw Error(ErrorCategory::InvalidArgument,
                "--by features gives every node some coordinates of all samples; say --partition coordinates "
                "as well");
  }
  if (method.division == Division::coordinates && !arguments.stream.empty()) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "--stream needs nodes that have whole samples; leave out --partition coordinates or --stream");
  }
  if (method.features == FeatureKind::none && method.kernel.normalized) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "--normalized needs features that stand for the kernel; say --features landmarks, or leave it "
        "out");
  }
  if (method.schedule == Schedule::tree && !arguments.stream.empty()) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "--stream brings samples while nodes gossip, and --schedule tree merges once; leave out one of "
        "them");
  }
  if (method.half_life && arguments.fit.yardsticks) {
    throw Error(ErrorCategory::InvalidArgument,
                "--yardsticks compares with all samples counted alike, which nodes with a --half-life do not "
                "aim at; leave one of them out");
  }
}

void add_data_options(CLI::App& command, GossipArguments& arguments) {
  const std::string group = "What the nodes have";
  command
      .add_option("--partition", arguments.partition,
                  "samples (each node has some), or coordinates (each node has some columns of all samples)")
      ->group(group);
  command
      .add_option("--stream", arguments.stream,
                  "samples that come while it runs: 50@100ms has 50 of each shard there at the start and 50 "
                  "more every 100 ms, in the order of the file")
      ->group(group);
  command
      .add_option("--half-life", arguments.half_life,
                  "after which a sample counts half: 2s; none: samples count for ever")
      ->group(group);
}

void add_sending_options(CLI::App& command, GossipArguments& arguments) {
  const std::string group = "Gossip";
  command
      .add_option("--messages-per-node", arguments.method.messages,
                  "a node sends so many at most; after its last new samples, with --stream")
      ->group(group);
  command.add_option("--interval", arguments.interval, "mean time between them")->group(group);
  command
      .add_option(
          "--schedule", arguments.schedule,
          "random (to a random neighbour), broadcast (to all), master or fast-master (through node 0), "
          "or tree (no gossip: up a tree and down again, for networks that lose nothing)")
      ->group(group);
  command
      .add_option("--links", arguments.links,
                  "acknowledged (what is lost is sent again), or plain (what is lost stays lost)")
      ->group(group);
  command
      .add_option("--window", arguments.method.window, "messages received between two looks at the change")
      ->group(group);
}

void add_merge_options(CLI::App& command, GossipArguments& arguments) {
  const std::string group = "Merging";
  command
      .add_option("--merge", arguments.merge,
                  "gram, orthogonal-iterations (the paper's), or late (whole scatter matrices)")
      ->group(group);
  command
      .add_option(
          "--carry", arguments.carry,
          "directions a node carries; auto: 5 to 10 more than the components, four times as many where "
          "coordinates are spread (as many as components with orthogonal-iterations)")
      ->group(group);
  command.add_option("--max-t", arguments.method.max_t, "orthogonal iterations a merge")->group(group);
  command
      .add_option("--ritz-values", arguments.ritz_values,
                  "how orthogonal iterations read eigenvalues: rayleigh, or diagonal (nearly as printed)")
      ->group(group);
}

void add_feature_options(CLI::App& command, GossipArguments& arguments) {
  const std::string group = "Features of a kernel";
  command
      .add_option("--features", arguments.features,
                  "none, landmarks (means of several samples each) or random-features (from a seed alone); "
                  "auto: none for the linear kernel, landmarks for others")
      ->group(group);
  add_feature_sizes(command, arguments.method, group);
}

}  // namespace

GossipArguments::GossipArguments() {
  fit.kernel = "linear";
  fit.tol = method.tol;
  fit.longer = "--messages-per-node";
  fit.lost_peers = "continue";  // nobody waits for anybody
}

void add_gossip_options(CLI::App& command, GossipArguments& arguments) {
  add_fit_options(command, arguments.fit,
                  {.by = "how: iid, label:K, sizes:A..B; features with --partition coordinates",
                   .tol = "change of a node's mean and variances over a window at which it stops to send; 0: "
                          "it sends all its messages",
                   .max_iter = "",
                   .precision = ""});
  add_network_options(command, arguments.fit,
                      {.automatic_topology =
                           fmt::format("complete, star with a master, a random graph of {} links a node for "
                                       "more than {} nodes",
                                       mean_degree, largest_complete),
                       .yardsticks = "compare with PCA of all samples in one place"});
  add_data_options(command, arguments);
  add_sending_options(command, arguments);
  add_merge_options(command, arguments);
  add_feature_options(command, arguments);
}

GossipPcaOptions method_of(const GossipArguments& arguments) {
  GossipPcaOptions method = arguments.method;
  method.division = parse_division(arguments.partition);
  method.preprocessing = arguments.fit.preprocessing();
  method.components = arguments.fit.component_choice();
  method.merge = parse_merge_rule(arguments.merge);
  method.carry = parse_count_or("auto", "carry", arguments.carry, 1);
  method.ritz_values = parse_ritz_values(arguments.ritz_values);
  method.schedule = parse_schedule(arguments.schedule);
  method.acknowledged = parse_choice(link_names, "links", arguments.links);
  method.mean_interval = parsed("--interval", arguments.interval, parse_duration);
  method.tol = arguments.fit.tol;
  method.kernel = arguments.fit.kernel_with(1);
  method.gamma = parse_gamma(arguments.fit.gamma);
  method.features = features_of(arguments, method.kernel);
  method.half_life = parse_half_life(arguments.half_life);
  refuse_contradictions(arguments, method);
  validate(method);
  return method;
}

std::optional<Stream> stream_of(const GossipArguments& arguments) {
  if (arguments.stream.empty()) return std::nullopt;
  return parse_stream(arguments.stream);
}

std::string automatic_topology(Schedule schedule, Index nodes) {
  if (schedule == Schedule::master || schedule == Schedule::fast_master) return "star";
  if (nodes <= largest_complete) return "complete";
  return fmt::format("erdos:{:.2g}", mean_degree / static_cast<double>(nodes));
}

}  // namespace choir::cli
