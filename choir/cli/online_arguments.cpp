#include "choir/cli/online_arguments.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/label_selection.h"

namespace choir::cli {
namespace {

std::optional<double> parse_number_or_auto(const char* name, const std::string& text) {
  if (text == "auto") return std::nullopt;
  const auto value = parse_number(text);
  if (!value || !(*value >= 0)) {
    fail(ErrorCategory::InvalidArgument, "{} is '{}'; it must be auto or a number from 0 on", name, text);
  }
  return value;
}

std::vector<std::int64_t> parse_classes(const std::string& text) {
  std::vector<std::int64_t> classes = parse_labels("--classes", text);
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

void refuse_contradictions(const OnlineArguments& arguments, const OnlineKernelOptions& method) {
  if (!is_classification(method.loss) && !arguments.classes.empty()) {
    fail(ErrorCategory::InvalidArgument,
         "--loss {} learns values, which have no classes; leave out --classes or choose logistic or hinge",
         arguments.loss);
  }
  if (arguments.passes < 1) {
    fail(ErrorCategory::InvalidArgument, "passes is {}; it must be at least 1", arguments.passes);
  }
  if (arguments.checkpoint_every < 1) {
    fail(ErrorCategory::InvalidArgument, "checkpoint_every is {}; it must be at least 1",
         arguments.checkpoint_every);
  }
  if (arguments.resume && arguments.checkpoint.empty()) {
    throw Error(ErrorCategory::InvalidArgument,
                "--resume goes on from a state of an earlier run; say where it is with --checkpoint FOLDER");
  }
}

void add_stream_options(CLI::App& command, OnlineArguments& arguments) {
  const std::string group = "Stream";
  command.add_option("--passes", arguments.passes, "over every stream, from its beginning")->group(group);
  command
      .add_option("--classes", arguments.classes,
                  "the labels that may come: 0,1,2; needed for standard input, found in files otherwise")
      ->group(group);
  command.add_option("--test", arguments.test, "samples to measure accuracy (or rmse) with at the end")
      ->group(group);
  command.add_option("--test-labels", arguments.test_labels, "of --test; if left out as --labels")
      ->group(group);
  command
      .add_option(
          "--checkpoint", arguments.checkpoint,
          "a folder that keeps the nodes' state while it runs, so that a run that was killed can go on")
      ->group(group);
  command
      .add_option("--checkpoint-every", arguments.checkpoint_every, "samples of a node between two states")
      ->group(group);
  command
      .add_flag("--resume", arguments.resume,
                "go on from the last state in --checkpoint: the same answer as without the interruption")
      ->group(group);
}

void add_learning_options(CLI::App& command, OnlineArguments& arguments) {
  const std::string group = "Learning";
  command.add_option("--loss", arguments.loss, "logistic or hinge (labels), squared or huber (values)")
      ->group(group);
  command.add_option("--huber-width", arguments.method.huber_width, "errors beyond it count linearly")
      ->group(group);
  command
      .add_option(
          "--consensus", arguments.consensus,
          "how nodes agree: diffusion (dictionaries are averaged), symmetric (a penalty on differences, its "
          "whole gradient), penalty (the paper's half of it) or none")
      ->group(group);
  command
      .add_option(
          "--eta", arguments.eta,
          "step size; auto, where k(x,x) is 1: 3 for labels, for values half of what is stable on the first "
          "batches, at most 3")
      ->group(group);
  command.add_option("--batch", arguments.method.batch, "samples a step")->group(group);
  command
      .add_option("--epsilon", arguments.epsilon,
                  "what compression may change of the function in a step; auto: 0.04 eta^1.5, for values "
                  "and with symmetric 0.01 eta^1.5")
      ->group(group);
  command.add_option("--max-atoms", arguments.method.max_atoms, "samples in a node's dictionary, at most")
      ->group(group);
  command.add_option("--alpha", arguments.method.lambda, "weight of the regulariser ||f||^2 / 2")
      ->group(group);
  command.add_option("--penalty", arguments.method.penalty, "its weight at the start; symmetric and penalty")
      ->group(group);
  command
      .add_option("--penalty-doubling", arguments.method.penalty_doubling,
                  "samples after which it doubles, up to what is stable; 0: never")
      ->group(group);
}

}  // namespace

OnlineArguments::OnlineArguments() {
  fit.by = "turn";
  fit.tol = 0;  // a stream ends when it ends
}

void add_online_options(CLI::App& command, OnlineArguments& arguments) {
  add_fit_options(
      command, arguments.fit,
      {.by = "how one file is dealt out: turn (in turn, read as it goes), or from memory iid, label:K, "
             "sizes:A..B",
       .tol = "",
       .max_iter = "",
       .precision = "",
       .components = false});
  add_network_options(command, arguments.fit, {.yardsticks = ""});
  add_stream_options(command, arguments);
  add_learning_options(command, arguments);
}

OnlineKernelOptions method_of(const OnlineArguments& arguments) {
  OnlineKernelOptions method = arguments.method;
  method.loss = parse_loss(arguments.loss);
  method.consensus = parse_online_consensus(arguments.consensus);
  method.kernel = arguments.fit.kernel_with(1);
  method.gamma = parse_gamma(arguments.fit.gamma);
  method.preprocessing = arguments.fit.preprocessing();
  method.eta = parse_number_or_auto("eta", arguments.eta);
  method.epsilon = parse_number_or_auto("epsilon", arguments.epsilon);
  if (!arguments.classes.empty()) method.classes = parse_classes(arguments.classes);
  refuse_contradictions(arguments, method);
  return method;
}

}  // namespace choir::cli
