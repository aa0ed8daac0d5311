#include "choir/run/inspect_model.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/text.h"
#include "choir/report/text_table.h"

namespace choir {
namespace {

struct Contribution {
  std::int64_t node;
  std::int64_t samples;
};

std::vector<std::int64_t> integers(const ModelFile& file, const std::string& parameter) {
  const auto found = file.parameters.find(parameter);
  if (found == file.parameters.end()) return {};
  std::vector<std::int64_t> values;
  for (const std::string_view word : split(found->second, ','))
    values.push_back(parse_integer(word).value_or(-1));
  return values;
}

// Whose samples are among the points of an answer; nothing if the file does not say or is not to be believed.
std::vector<Contribution> contributions(const ModelFile& file, const std::string& answer, Index points) {
  const auto nodes = integers(file, "neighborhood"), samples = integers(file, "samples");
  const std::size_t count = answer == "neighborhood" ? nodes.size() : answer == "own" ? 1 : 0;
  if (nodes.size() != samples.size() || count > nodes.size()) return {};
  std::vector<Contribution> result;
  std::int64_t left = points;
  for (std::size_t i = 0; i < count; ++i) {
    if (nodes[i] < 0 || samples[i] < 0 || samples[i] > left) return {};
    left -= samples[i];
    result.push_back({nodes[i], samples[i]});
  }
  return result;
}

// The training samples among the points of a kernel's model, and whose they are.
struct Carried {
  std::vector<Contribution> owners = {};  // empty: not known
  Index samples = 0;
};

Carried carried_by(const KernelModel& model, const ModelFile& file, const std::string& answer) {
  const Index points = model.points.cols();
  Carried carried{.owners = contributions(file, answer, points)};
  if (carried.owners.empty()) carried.samples = points == model.training_samples ? points : 0;
  for (const Contribution& owner : carried.owners) carried.samples += owner.samples;
  return carried;
}

// " of node 3", " of nodes 3 (100), 1 (80) and 12 more"
std::string owner_words(const std::vector<Contribution>& owners) {
  constexpr std::size_t most = 8;
  if (owners.size() == 1) return fmt::format(" of node {}", owners[0].node);
  std::string words = " of nodes";
  for (std::size_t i = 0; i < std::min(most, owners.size()); ++i)
    words += fmt::format("{} {} ({})", i == 0 ? "" : ",", owners[i].node, owners[i].samples);
  if (owners.size() > most) words += fmt::format(" and {} more", owners.size() - most);
  return words;
}

std::string point_words(const KernelModel& model, const Carried& carried) {
  const Index points = model.points.cols();
  std::string words = fmt::format("carries {} points of {} numbers each", points, model.features());
  if (carried.samples == 0) return words;
  if (carried.owners.empty()) {
    words += ": the training samples themselves";
  } else {
    words += fmt::format(": {} training samples{}", carried.samples, owner_words(carried.owners));
    if (points > carried.samples) words += fmt::format(" and {} landmarks", points - carried.samples);
  }
  return words + ", so share this file as you would the data";
}

// "columns 0 to 4, 7, 9 to 12 and 30 more of the whole data"
std::string column_words(const std::vector<std::int64_t>& columns) {
  constexpr int most = 8;  // runs of neighbouring columns
  if (columns.empty()) return "which columns of the whole data they are the file does not say";
  std::string words = "columns";
  std::size_t first = 0;
  for (int run = 0; run < most && first < columns.size(); ++run) {
    std::size_t last = first;
    while (last + 1 < columns.size() && columns[last + 1] == columns[last] + 1) ++last;
    words += fmt::format("{} {}", run == 0 ? "" : ",", columns[first]);
    if (last > first) words += fmt::format(" to {}", columns[last]);
    first = last + 1;
  }
  if (first < columns.size()) words += fmt::format(" and {} more", columns.size() - first);
  return words + " of the whole data";
}

// "labels -1, 2 and 5", "labels 0, 1, 2, 3, 4, 5, 6, 7 and 92 more"
std::string target_words(const KernelMachine& machine) {
  const std::vector<std::int64_t>& classes = machine.classes;
  constexpr std::size_t most = 10;
  if (classes.empty()) return "predicts values";
  const std::size_t named = std::min(most, classes.size());
  std::string words = classes.size() == 1 ? "predicts label" : "predicts labels";
  for (std::size_t k = 0; k < named; ++k) {
    const bool last = k > 0 && k + 1 == classes.size();
    words += fmt::format("{} {}", k == 0 ? "" : last ? " and" : ",", machine.name_of(classes[k]));
  }
  return classes.size() > named ? words + fmt::format(" and {} more", classes.size() - named) : words;
}

constexpr const char* needs_others =
    "\n  only the parts of all nodes together answer: choir transform --model 'model-{node}.npz'";

// What one answer of a file has to say beyond what all kinds of models do.
class AnswerSpeaker {
 public:
  AnswerSpeaker(const ModelFile& file, const std::string& name) : file_(file), name_(name) {}

  // Facts that every kind has, and those of this kind.
  template <class AnyModel>
  Facts facts(const AnyModel& model) const {
    Facts facts;
    facts.set("kind", kind(model)).set("features", model.features());
    if constexpr (requires { model.eigenvalues; }) facts.set("n_components", model.eigenvalues.size());
    facts.set("training_samples", model.training_samples)
        .set("divide", model.preprocessing.divide)
        .set("standardize", to_string(model.preprocessing.standardize));
    if constexpr (requires { model.eigenvalues; }) {
      facts.set("eigenvalues", model.eigenvalues)
          .set("explained_variance_ratio", model.explained_variance_ratio());
    }
    if constexpr (requires { model.kernel; }) facts.set("kernel", describe(model.kernel));
    add(model, facts);
    return facts;
  }

  template <class AnyModel>
  std::string words(const AnyModel& model) const {
    return fmt::format("answer '{}': {}{}, fitted to {} samples{}\n  {}", name_, size_words(model),
                       preprocessing_words(model.preprocessing), model.training_samples,
                       variance_words(model), kind_words(model));
  }

 private:
  static const char* kind(const KernelModel&) { return "kernel"; }
  static const char* kind(const LinearModel&) { return "linear"; }
  static const char* kind(const FeatureModel&) { return "features"; }
  static const char* kind(const LinearPart&) { return "linear-part"; }
  static const char* kind(const KernelPart&) { return "kernel-part"; }
  static const char* kind(const KernelMachine&) { return "kernel-machine"; }
  static const char* kind(const ClusterModel&) { return "clusters"; }

  void add(const KernelModel& model, Facts& facts) const {
    const Carried carried = carried_by(model, file_, name_);
    facts.set("centred", is_centred(model)).set("expansion_points", model.points.cols());
    std::vector<Facts> owners;
    for (const auto& [node, samples] : carried.owners)
      owners.push_back(Facts().set("node", node).set("samples", samples));
    if (!owners.empty()) facts.set("samples_of", owners);
    facts.set("raw_samples", carried.samples);
    if (model.overlap.size() > 0) facts.set("squared_lengths", Vector(model.overlap.diagonal()));
  }
  void add(const LinearModel&, Facts&) const {}
  void add(const FeatureModel& model, Facts& facts) const {
    facts.set("random_features", model.random_features.count).set("seed", model.random_features.seed);
  }
  void add(const LinearPart& model, Facts& facts) const { facts.set("columns", model.columns); }
  void add(const KernelPart& model, Facts& facts) const {
    facts.set("columns", model.columns)
        .set("raw_samples", model.points.cols())
        .set("has_answer", model.has_answer());
  }
  void add(const KernelMachine& model, Facts& facts) const {
    facts.set("loss", model.loss)
        .set("classes", model.classes)
        .set("expansion_points", model.points.cols())
        .set("raw_samples", carries_landmarks() ? 0 : model.points.cols());
    if (model.random_features)
      facts.set("random_features", model.random_features->count).set("seed", model.random_features->seed);
    if (!model.class_names.empty()) facts.set("class_names", model.class_names);
  }
  void add(const ClusterModel& model, Facts& facts) const {
    facts.set("clusters", model.clusters())
        .set("dimension", model.dimension())
        .set("landmarks", model.points.cols())
        .set("raw_samples", 0);
  }

  static bool is_centred(const KernelModel& model) { return !model.mean_weights.isZero(0); }

  template <class AnyModel>
  static Index components_of(const AnyModel& model) {
    if constexpr (requires { model.eigenvalues; }) return model.eigenvalues.size();
    return 0;
  }
  template <class AnyModel>
  static std::string size_words(const AnyModel& model) {
    const Index features = model.features();
    if (components_of(model) == 0) return fmt::format("{} feature{}", features, features == 1 ? "" : "s");
    return fmt::format("{} components of {} features", components_of(model), features);
  }
  static std::string preprocessing_words(const Preprocessing& preprocessing) {
    std::string words;
    if (preprocessing.divide != 1) words += fmt::format(", values divided by {}", preprocessing.divide);
    if (preprocessing.standardize != Standardize::none)
      words += fmt::format(", standardized by {}", to_string(preprocessing.standardize));
    return words;
  }
  template <class AnyModel>
  static std::string variance_words(const AnyModel& model) {
    if constexpr (requires { model.eigenvalues; }) {
      if (model.eigenvalues.size() == 0) return "";
      return fmt::format("; they explain {:.1f}% of the variance",
                         100 * model.explained_variance_ratio().sum());
    }
    return "";
  }

  std::string kind_words(const KernelModel& model) const {
    std::string words = fmt::format("kernel {}, {}; {}", describe(model.kernel),
                                    is_centred(model) ? "centred" : "not centred",
                                    point_words(model, carried_by(model, file_, name_)));
    if (model.overlap.size() == 0) return words;
    words += "\n  scores of new points are shrunk: ||w||^2 =";
    for (const double length : Vector(model.overlap.diagonal())) words += " " + short_number(length);
    return words + " per component";
  }
  std::string kind_words(const LinearModel&) const {
    return "directions in the space of the data; carries no sample";
  }
  std::string kind_words(const FeatureModel& model) const {
    return fmt::format("kernel {}, directions among {} random features drawn from seed {}; carries no sample",
                       describe(model.kernel), model.random_features.count, model.random_features.seed);
  }
  std::string kind_words(const LinearPart& model) const {
    return fmt::format("one party's part: its own coordinates alone ({}); carries no sample{}",
                       column_words(model.columns), needs_others);
  }
  std::string kind_words(const KernelPart& model) const {
    return fmt::format(
        "one party's part of kernel {}: its own features alone ({}) of {} training samples, so share this "
        "file as you would the data\n  {}{}",
        describe(model.kernel), column_words(model.columns), model.points.cols(),
        model.has_answer() ? "has the components: scores are computed here"
                           : "without the components: it adds to sums, scores are computed elsewhere",
        needs_others);
  }
  std::string kind_words(const KernelMachine& model) const {
    return fmt::format("kernel {}, {} loss; {}\n  {}{}: choir predict", describe(model.kernel), model.loss,
                       machine_words(model), target_words(model),
                       model.loss == "logistic" ? ", and how likely each is" : "");
  }
  std::string machine_words(const KernelMachine& model) const {
    const Index points = model.points.cols();
    if (model.random_features)
      return fmt::format("weights of {} random features drawn from seed {}; carries no sample",
                         model.random_features->count, model.random_features->seed);
    if (points == 0) return "carries no sample: it has learned nothing yet";
    if (carries_landmarks())
      return fmt::format("weights of {} landmarks of {} numbers each, means of samples or drawn", points,
                         model.features());
    return fmt::format(
        "carries {} training sample{} of {} numbers each, so share this file as you would the data", points,
        points == 1 ? "" : "s", model.features());
  }
  // Of online-kernel, whose points are samples otherwise.
  bool carries_landmarks() const {
    const auto found = file_.parameters.find("representation");
    return found != file_.parameters.end() && found->second == "landmarks";
  }
  std::string kind_words(const ClusterModel& model) const {
    const Index landmarks = model.points.cols();
    return fmt::format("kernel {}, {} clusters of samples embedded in {} dimensions by {}",
                       describe(model.kernel), model.clusters(), model.dimension(),
                       landmarks > 0 ? fmt::format("{} landmarks, means of training samples", landmarks)
                                     : "random features");
  }

  const ModelFile& file_;
  const std::string& name_;
};

// How a table becomes samples.
std::string recipe_words(const Recipe& recipe) {
  constexpr std::size_t most = 20;
  const std::vector<std::string> names = recipe.feature_names();
  const std::size_t named = std::min(most, names.size());
  std::string words = fmt::format("features of a table: {}",
                                  fmt::join(names.begin(), names.begin() + static_cast<long>(named), ", "));
  if (names.size() > named) words += fmt::format(" and {} more", names.size() - named);
  if (recipe.missing != Missing::error)
    words += fmt::format("\n  missing cells: {}", to_string(recipe.missing));
  if (!recipe.id.empty()) words += fmt::format("\n  rows are called by column {}", recipe.id);
  if (!recipe.label.empty()) words += fmt::format("\n  labels are in column {}", recipe.label);
  if (!recipe.classes.empty()) words += fmt::format(": {}", fmt::join(recipe.classes, ", "));
  return words;
}

Facts recipe_facts(const Recipe& recipe) {
  return Facts()
      .set("features", recipe.feature_names())
      .set("id", recipe.id)
      .set("label", recipe.label)
      .set("classes", recipe.classes)
      .set("missing", to_string(recipe.missing));
}

}  // namespace

ModelDescription describe_model(const std::string& path, const ModelFile& file) {
  Facts parameters;
  for (const auto& [name, value] : file.parameters) parameters.set(name, value);
  std::string text = fmt::format("{}: a model of {} (node {}), written by choir {}", path, file.method,
                                 file.node, file.choir_version);
  const auto epsilon = file.parameters.find("privacy");
  const auto delta = file.parameters.find("delta");
  if (epsilon != file.parameters.end() && delta != file.parameters.end()) {
    text += fmt::format("\nfitted under differential privacy: epsilon {}, delta {} for each sample",
                        epsilon->second, delta->second);
  }
  if (file.answers.size() > 1) {
    text += fmt::format("\nit has {} answers; '{}' is used unless --use names another", file.answers.size(),
                        file.use);
  }
  if (file.recipe) text += "\n" + recipe_words(*file.recipe);
  Facts answers;
  for (const auto& [name, model] : file.answers) {
    const AnswerSpeaker speaker(file, name);
    answers.set(name, std::visit([&](const auto& any) { return speaker.facts(any); }, model));
    text += "\n" + std::visit([&](const auto& any) { return speaker.words(any); }, model);
  }
  Facts facts;
  facts.set("method", file.method)
      .set("choir", file.choir_version)
      .set("node", file.node)
      .set("use", file.use)
      .set("parameters", parameters)
      .set("answers", answers);
  if (file.recipe) facts.set("recipe", recipe_facts(*file.recipe));
  return {.facts = std::move(facts), .text = std::move(text)};
}

}  // namespace choir
