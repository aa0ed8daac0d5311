#include "choir/learn/online_kernel/online_kernel.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/learn/online_kernel/findings.h"
#include "choir/learn/online_kernel/private_options.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network.h"
#include "choir/run/node_findings.h"
#include "choir/run/node_models.h"
#include "choir/run/online/live_models.h"
#include "choir/run/online/predictions.h"
#include "choir/run/online/report.h"
#include "choir/run/online/resume.h"
#include "choir/run/online/save_on_demand.h"
#include "choir/run/online/settings.h"
#include "choir/run/online/streams.h"
#include "choir/run/shards.h"
#include "choir/run/tables/table_shards.h"

namespace choir::online_kernel {
namespace {

using Tests = std::map<NodeId, TestFindings>;
constexpr Index most_drawn_machines = 6;

class OnlineRun : public MethodOf<OnlineSettings> {
 public:
  bool take(const std::any& options) override {
    if (!MethodOf::take(options)) return false;
    settings_.classes = ClassNames{.labels = settings_.method.classes}.texts();
    return true;
  }

  void check(MethodContext& context) override {
    check_network_settings(settings_, context);
    complete_online_settings(settings_);
  }

  // The test before the run, which would be in vain if its samples could not be read.
  void read(MethodContext& context) override {
    data_ = open_streams(settings_, context);
    options_ = settings_.method;
    options_.classes = data_.classes.labels;
    leave_indicators(context, options_);
    test_ = context.processes.together([&] {
      validate(options_);
      return read_test(settings_, data_, context.recipe);
    });
    interruption_ = find_states(settings_, context, data_);
    context.result.nodes = data_.nodes;
    context.result.features = data_.features;
    context.resolve("representation", std::string(to_string(representation_of(options_))));
    if (!data_.classes.empty())
      context.resolve("classes", fmt::format("{}", fmt::join(data_.classes.texts(), ",")));
  }

  Graph network(MethodContext& context) override { return make_network(settings_, data_.nodes, context); }

  Contract contract(const MethodContext&, const Graph& graph) override {
    return online_kernel::contract({.graph = graph, .features = data_.features}, options_);
  }

  std::vector<Release> releases(Index nodes) const override {
    return privacy_report(options_, nodes).releases;
  }

  std::string to_need_less() const override {
    return uses_features(options_) ? "choose a smaller --n-features or --n-landmarks"
                                   : "choose a smaller --max-atoms or --batch";
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    interruption_.resume(data_);
    prepare_to_save(context);
    std::uint64_t lost = 0;
    for (const StreamAccount& account : own_accounts()) lost += account.lost_samples;
    if (lost > 0) context.note(lost_words(lost));
    RunOptions run = context.options;
    if (data_.ends_on_interrupt) run.watch.stop = {};  // the streams end, and the run is to finish
    fit_ = std::make_shared<const Fit>(
        fit_online_kernel(context.engine(), graph, lent_streams(data_), options_, run, hooks()));
    for (const auto& node : fit_->nodes) {
      if (node) keep_last(*node);
    }
    if (data_.ends_on_interrupt && context.options.watch.stop.stop_requested())
      context.note("the stream was ended by an interrupt");
    return fit_->report;
  }

  void conclude(MethodContext& context, const Graph&) override {
    Result& result = context.result;
    const Tests tests = context.processes.together([&] { return test_nodes(context.options.threads); });
    const auto nodes = all_findings<NodeFindings>(
        fit_->nodes, context, [&](const NodeResult& node) { return findings(node, tests); });
    if (options_.privacy.wanted()) result.privacy = privacy_report(options_, result.nodes);
    describe_online(nodes, options_, result, data_.classes.words);
    if (uses_gamma(options_.kernel.kind)) context.resolve("gamma", nodes.front().gamma);
    if (!data_.classes.words.empty()) result.facts.set("class_names", data_.classes.words);
    describe_streams(all_accounts(own_accounts(), context.processes), first_bad(), result);
    add_notes(data_.warnings->of_all(context.processes), result);
    add_models(fit_, result,
               [classes = data_.classes](const NodeResult& node) { return online_model(node, classes); });
    if (context.draws && !result.privacy) result.decision = draw_decisions(some_machines());
    result.text = online_words(result);
  }

 private:
  Hooks hooks() {
    Hooks hooks;
    hooks.after_round = [this](const Round& round, const State& state) {
      history_.add(round);
      const bool is_asked_for = demand_->is_due(round.node, round.round);
      interruption_.look(round.node, state, is_asked_for);
      if (!models_) return;
      models_->look(round.node, state);
      if (is_asked_for) models_->save(round.node, state);
    };
    if (predictions_) {
      hooks.predicted = [this](NodeId node, std::uint64_t before, const Matrix& scores,
                               const Vector& targets) { predictions_->add(node, before, scores, targets); };
    }
    if (!interruption_.from.empty())
      hooks.resume = [this](NodeId node) { return std::optional<State>(interruption_.from.at(node).state); };
    return hooks;
  }

  void prepare_to_save(MethodContext& context) {
    demand_.emplace(context.save_requests, options_.consensus == Consensus::none
                                               ? SaveOnDemand::Nodes::alone
                                               : SaveOnDemand::Nodes::together);
    if (interruption_.states) {
      models_.emplace(
          interruption_.states->folder(),
          LiveModels::Plan{.every = settings_.save_every, .loss = options_.loss, .classes = data_.classes});
    }
    if (settings_.predictions.empty()) return;
    std::map<NodeId, std::uint64_t> learned;
    for (const auto& [node, saved] : interruption_.from) learned[node] = saved.state.samples;
    predictions_.emplace(settings_.predictions, data_.classes, learned);
  }

  void keep_last(const NodeResult& node) {
    interruption_.keep_last(node.node, node.state);
    if (settings_.save_every) models_->save(node.node, node.state);
  }

  std::vector<StreamAccount> own_accounts() const {
    std::vector<StreamAccount> accounts;
    for (NodeId node = data_.own.first; node < data_.own.last; ++node)
      accounts.push_back(interruption_.account_of(node));
    return accounts;
  }

  std::vector<std::string> first_bad() const {
    std::vector<std::string> sentences;
    for (const auto& stream : data_.streams) {
      for (std::string& sentence : stream->first_bad()) sentences.push_back(std::move(sentence));
    }
    return sentences;
  }

  Tests test_nodes(int threads) const {
    Tests tests;
    for (const auto& node : fit_->nodes) {
      if (node && test_)
        tests[node->node] = test_machine(machine_of(*node), test_->samples, test_->targets, threads);
    }
    return tests;
  }

  NodeFindings findings(const NodeResult& node, const Tests& tests) const {
    NodeFindings findings = findings_of(node, history_);
    if (test_) findings.test = tests.at(node.node);
    const auto from = interruption_.from.find(node.node);
    if (from != interruption_.from.end())
      findings.resumed = {.round = from->second.state.round, .samples = from->second.state.samples};
    return findings;
  }

  // What some of this process's nodes make of the plane, if their samples lie in one.
  std::vector<NodeMachine> some_machines() const {
    std::vector<const NodeResult*> answers;
    for (const auto& node : fit_->nodes) {
      if (node) answers.push_back(&*node);
    }
    std::vector<NodeMachine> machines;
    for (const Index place : spread(std::ssize(answers), most_drawn_machines)) {
      const NodeResult& answer = *answers[static_cast<std::size_t>(place)];
      machines.push_back({.node = answer.node, .machine = machine_of(answer)});
    }
    return machines;
  }

  Options options_;  // the settings', with the classes that were found
  OnlineData data_;
  std::optional<TargetedSamples> test_;
  Interruption interruption_;
  std::optional<SaveOnDemand> demand_;
  std::optional<LiveModels> models_;  // if there is a folder for them
  std::optional<PredictionFile> predictions_;
  History history_;
  std::shared_ptr<const Fit> fit_;
};

}  // namespace

MethodInfo method_info() {
  return {.name = "online-kernel",
          .about = "classifiers or regressions learned from streams, one per node, in bounded memory",
          .example =
              "choir fit online-kernel --data datasets/digits.npz:images --labels "
              "datasets/digits.npz:labels --by iid --nodes 5 "
              "--divide 255 --gamma 0.02 --out runs/online",
          .brings = Brings::stream,
          .needs_targets = true,
          .kinds = {Kind::raw_samples, Kind::centroids, Kind::coefficients, Kind::own_statistics,
                    Kind::masked, Kind::totals, Kind::control},
          .yardsticks = {},
          .private_facts = {"loss", "representation", "consensus", "classes", "class_names",
                            "samples_per_second", "features_used", "totals", "ridge", "half_life", "renewals",
                            "bad_records", "lost_samples"},
          .options = online_option_table(),
          .start = [] { return std::make_unique<OnlineRun>(); }};
}

}  // namespace choir::online_kernel
