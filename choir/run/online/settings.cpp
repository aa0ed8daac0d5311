#include "choir/run/online/settings.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/learn/features/option_rows.h"
#include "choir/run/method.h"
#include "choir/run/online/class_names.h"
#include "choir/run/online/private_settings.h"

namespace choir {
namespace {

using online_kernel::Options;

constexpr const char* learning = "Learning";

Options& method_of(OnlineSettings& settings) { return settings.method; }

void add_stream_rows(OptionTable& table) {
  OptionGroup<OnlineSettings> group(table, "Stream");
  group.add("passes", &OnlineSettings::passes, "passes over every stream, from its beginning").at_least(1);
  group
      .add("classes", &OnlineSettings::classes,
           "labels that may occur: 0,1,2 or cat,dog; required for standard input, found in files otherwise")
      .named("LABELS");
  group.add("on-bad-record", &OnlineSettings::on_bad_record,
            "what to do with a record that cannot be used: error ends the run, skip omits and counts it");
  group.add("test", &OnlineSettings::test, "held-out samples for accuracy (or rmse) at the end")
      .named("FILE")
      .own();
  group.add("test-labels", &OnlineSettings::test_labels, "labels for --test (default: same as --labels)")
      .named("FILE")
      .own();
  group
      .add("predictions", &OnlineSettings::predictions,
           "a csv file for the prediction of every sample, made before the sample is learned")
      .named("FILE")
      .own();
  group
      .add("checkpoint", &OnlineSettings::checkpoint,
           "a folder for the nodes' states, from which --resume continues a killed run")
      .named("FOLDER");
  group.add("checkpoint-every", &OnlineSettings::checkpoint_every, "samples per node between two checkpoints")
      .at_least(1);
  group.add("resume", &OnlineSettings::resume,
            "continue from the latest checkpoint, if there is one: files at their next record, pipes with "
            "what comes");
  group.add("save-every", &OnlineSettings::save_every, "never",
            "how often models are written into the --checkpoint folder during the run: samples per node, or "
            "a time");
}

void add_learning_rows(OptionTable& table) {
  OptionGroup<OnlineSettings, Options> group(table, learning, method_of);
  group.add("loss", &Options::loss, "logistic or hinge for labels, squared or huber for values")
      .in_short_help();
  group
      .add("representation", &Options::representation, "auto",
           "what a node keeps of its stream: a dictionary of samples, or moments of random features or "
           "landmarks, which are added up over the network; auto: landmarks, a dictionary if an option needs "
           "one, or random-features under --privacy")
      .in_short_help();
  group.add("batch", &Options::batch, "samples per step").at_least(1);
  group.add("class-weights", &Options::class_weights,
            "balanced: all classes weigh the same, however rare; none: all samples weigh the same");
  group
      .add("huber-width", &Options::huber_width,
           "errors beyond this many deviations of the targets count linearly")
      .above(0);
  add_feature_size_rows<Options>(group);
  group
      .add("half-life", &Options::half_life, "auto",
           "samples of the network after which moments of features count half, for streams that change; 0: "
           "nothing is forgotten; auto: progressive losses decide; nothing is forgotten under --privacy")
      .at_least(0);
  group
      .add("consensus", &Options::consensus,
           "how nodes agree: diffusion averages dictionaries, symmetric penalises differences with the "
           "whole gradient, penalty with the paper's half of it")
      .in_short_help();
  group
      .add("eta", &Options::eta, "auto",
           "step size, as in the paper, the same in every round; auto, where k(x,x) is 1: sample by sample, "
           "by the number of nodes")
      .at_least(0);
  group.add(
      "schedule", &Options::schedule,
      "decay: automatic steps shrink while the stream lasts; constant: they stay after 1000 samples, to "
      "follow drift");
  group
      .add("epsilon", &Options::epsilon, "auto",
           "largest change that compression may make per step; auto: a share of what one sample weighs; if "
           "eta is given 0.04 eta^1.5, for values and with symmetric 0.01 eta^1.5")
      .at_least(0);
  group.add("max-atoms", &Options::max_atoms, "largest number of samples in a node's dictionary")
      .at_least(1)
      .in_short_help();
  group.add("alpha", &Options::alpha, "weight of the regulariser ||f||^2 / 2").at_least(0);
  group.add("penalty", &Options::penalty, "weight of the penalty at the start, for symmetric and penalty")
      .at_least(0);
  group
      .add("penalty-doubling", &Options::penalty_doubling,
           "samples after which the penalty doubles, up to what is stable; 0: never")
      .at_least(0);
}

// The first option given that only dictionaries have; nullptr: none.
const char* dictionary_option(const OnlineSettings& settings) {
  for (const char* name :
       {"eta", "schedule", "epsilon", "max-atoms", "alpha", "penalty", "penalty-doubling"}) {
    if (settings.was_given(name)) return name;
  }
  return nullptr;
}

// Whoever sets something of dictionaries means one. Sums need all nodes, so whoever lets nodes get lost does
// so, too.
void choose_representation(OnlineSettings& settings) {
  Options& method = settings.method;
  const char* option = dictionary_option(settings);
  if (!method.representation) {
    if (option || settings.network.lost_peers == LostPeers::proceed)
      method.representation = online_kernel::Representation::dictionary;
    return;
  }
  if (!option || !uses_features(method)) return;
  fail(ErrorCategory::InvalidArgument,
       "--{} is about dictionaries, and --representation {} keeps none; omit one of the two", option,
       to_string(*method.representation));
}

void refuse_contradictions(const OnlineSettings& settings) {
  if (!is_classification(settings.method.loss) && !settings.classes.empty()) {
    fail(ErrorCategory::InvalidArgument,
         "--loss {} learns values, which have no classes; omit --classes, or use --loss logistic or hinge",
         to_string(settings.method.loss));
  }
  if (settings.resume && settings.checkpoint.empty()) {
    throw Error(ErrorCategory::InvalidArgument,
                "--resume continues from a checkpoint of an earlier run; use --checkpoint FOLDER to say "
                "where it is");
  }
  if (settings.save_every && settings.checkpoint.empty()) {
    throw Error(ErrorCategory::InvalidArgument,
                "--save-every writes models into the folder of the checkpoints; use --checkpoint FOLDER to "
                "name it");
  }
  if (!settings.predictions.empty() && settings.engine.engine == "mpi") {
    throw Error(ErrorCategory::InvalidArgument,
                "--predictions writes one file from one process; omit it, or use --engine local");
  }
}

// Rows that decide what a node learns. How often it reads its data, what it is tested with, on which engine
// and for how long it waits do not.
bool decides_the_answer(const OptionRow& row) {
  constexpr std::array<std::string_view, 4> groups = {"Data", "Tables", "Kernel", learning};
  constexpr std::array<std::string_view, 3> others = {"classes", "topology", "random-state"};
  return std::ranges::count(groups, row.group) > 0 || std::ranges::count(others, row.name) > 0;
}

}  // namespace

SaveRhythm OptionType<SaveRhythm>::parse(std::string_view option, std::string_view text) {
  if (const std::optional<std::int64_t> samples = parse_integer(text)) {
    if (*samples < 1) refuse_option(option, text, "a positive number of samples, or a time such as 30s");
    return {.samples = static_cast<std::uint64_t>(*samples)};
  }
  return {.time = OptionType<Duration>::parse(option, text)};
}

std::string OptionType<SaveRhythm>::print(const SaveRhythm& value) {
  return value.samples > 0 ? std::to_string(value.samples) : duration_text(value.time);
}

OptionTable online_option_table() {
  OptionTable table = shared_rows(true);
  for (const char* name : {"n-components", "max-components", "tol", "max-iter", "precision", "yardsticks"}) {
    table.remove(name);
  }
  table.at("by").says(
      "how one file is distributed: turn (in turn, while it is read), or from memory: iid, label:K, "
      "sizes:A..B");
  add_stream_rows(table);
  add_learning_rows(table);
  add_privacy_rows(table);
  return table;
}

void complete_online_settings(OnlineSettings& settings) {
  refuse_contradictions(settings);
  choose_representation(settings);
  take_shared_settings(settings, settings.method);
  if (settings.privacy.asked.wanted()) require_private(settings);
  settings.classes = class_names(settings.classes).texts();
}

std::string online_identity(const OnlineSettings& settings, Index nodes,
                            const std::vector<std::string>& classes) {
  OnlineSettings found = settings;
  found.data.nodes = nodes;
  found.classes = classes;
  const OptionTable table = online_option_table();
  std::string text;
  for (const OptionRow& row : table.rows()) {
    if (decides_the_answer(row)) text += fmt::format("{}={}\n", row.key(), canonical_text(row, found));
  }
  return text;
}

}  // namespace choir
