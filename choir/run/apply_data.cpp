#include "choir/run/apply_data.h"

#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/data/stream.h"
#include "choir/learn/tables/follow_recipe.h"
#include "choir/run/tables/labels.h"

namespace choir {
namespace {

// Words are read where records are.
Dataset read_with_words(const std::string& data, const std::string& labels, const TargetRule& rule) {
  TargetedSamples all = rest_of(*open_stream(data, {.target = labels, .targets = rule}));
  Dataset dataset;
  dataset.samples = std::move(all.samples);
  dataset.labels.assign(all.targets.begin(), all.targets.end());
  dataset.source = data;
  return dataset;
}

std::string class_name(const Model& model, std::int64_t label) {
  return std::get<KernelMachine>(model).class_names[static_cast<std::size_t>(label)];
}

NewData read_numbers(const Model& model, const DataQuestion& question) {
  const TargetRule rule = label_rule_of(model);
  const bool has_words = rule.of_text && !question.labels.empty();
  Dataset dataset = has_words ? read_with_words(question.data, question.labels, rule)
                              : read_dataset(question.data, {.labels = question.labels,
                                                             .real_labels = question.real_labels,
                                                             .key = question.id});
  require_features(model, question.model, question.data, dataset.features());
  NewData data{.samples = std::move(dataset.samples),
               .labels = std::move(dataset.labels),
               .values = std::move(dataset.values)};
  if (!question.id.empty()) data.ids = {.name = question.id, .words = std::move(dataset.keys)};
  if (question.labels.empty() || !question.writes_labels) return data;
  data.label_words.name = "label";
  for (const std::int64_t label : data.labels)
    data.label_words.words.push_back(has_words ? class_name(model, label) : fmt::format("{}", label));
  for (const double value : data.values) data.label_words.words.push_back(fmt::format("{}", value));
  return data;
}

// Classes that labels stand for: the machine's, or those that were found beside other fits.
std::vector<std::string> classes_for(const Model& model, const Recipe& recipe) {
  const auto* machine = std::get_if<KernelMachine>(&model);
  return machine && !machine->class_names.empty() ? machine->class_names : recipe.classes;
}

std::vector<std::string> words_of_labels(const RawLabels& labels) {
  std::vector<std::string> words = labels.words;
  for (const double number : labels.numbers) words.push_back(fmt::format("{}", number));
  return words;
}

void put_true_labels(const RawLabels& labels, const std::vector<std::string>& classes,
                     const DataQuestion& question, NewData& data) {
  data.label_words.words = words_of_labels(labels);
  if (question.real_labels) {
    data.values = labels.values(question.data);
  } else if (!classes.empty()) {
    data.labels = labels.classes(classes, question.data);
  } else if (labels.words.empty()) {
    data.labels = labels.integers(question.data);
  }
}

// Labels that were asked for must be right; those that happen to be there are left out if they are not.
void read_true_labels(const TableView& view, const std::vector<Index>& rows,
                      const std::vector<std::string>& classes, const DataQuestion& question, NewData& data) {
  const Table& table = view.table();
  try {
    if (const Column* column = view.label()) {
      data.label_words.name = column->name.empty() ? "label" : column->name;
      put_true_labels(labels_in(table, *column, rows), classes, question, data);
    } else if (!question.labels.empty()) {
      data.label_words.name = "label";
      put_true_labels(labels_beside(table, question.labels, rows), classes, question, data);
    }
  } catch (const Error& error) {
    if (!question.labels.empty()) throw;
    data.label_words = {};
    data.notes.push_back(fmt::format("its labels are left out: {}", error.what()));
  }
}

// What is the user's, in place of what the fit had.
Recipe recipe_for(const Recipe& stored, const DataQuestion& question, const Table& table) {
  Recipe recipe = stored;
  if (!question.id.empty() && !table.find(question.id)) {
    fail(ErrorCategory::InvalidArgument, "{} has no column '{}' that says who each row is", question.data,
         question.id);
  }
  // By number, or by name: the recipe has names where there are some.
  const auto called = [&](const std::string& column) {
    const std::optional<Index> place = table.find(column);
    if (!place) return column;
    const std::string& name = table.columns[static_cast<std::size_t>(*place)].name;
    return name.empty() ? column : name;
  };
  if (!question.id.empty()) recipe.id = called(question.id);
  if (!question.labels.empty()) recipe.label = called(question.labels);
  if (recipe.label != stored.label && !stored.label.empty()) recipe.left_out.push_back(stored.label);
  if (recipe.id != stored.id && !stored.id.empty()) recipe.left_out.push_back(stored.id);
  return recipe;
}

void say_what_was_done(const Followed& followed, const Recipe& recipe, Index rows, Index used,
                       NewData& data) {
  if (used < rows)
    data.notes.push_back(
        fmt::format("{} of {} rows have missing cells and were left out", rows - used, rows));
  if (followed.filled > 0)
    data.notes.push_back(fmt::format("{} missing cells were filled as in the fit", followed.filled));
  for (std::size_t i = 0; i < followed.unknown.size(); ++i) {
    if (followed.unknown[i] == 0) continue;
    data.notes.push_back(
        fmt::format("{}: {} rows have a category that the fit did not see, and count as none",
                    recipe.categories[i].place.name, followed.unknown[i]));
  }
}

}  // namespace

void require_features(const Model& model, const std::string& path, const std::string& data, Index found) {
  if (found == features(model)) return;
  fail(ErrorCategory::InvalidArgument,
       "{} has {} features but the model {} was fitted to {}; use data with the same columns", data, found,
       path, features(model));
}

TargetRule label_rule_of(const Model& model) {
  const auto* machine = std::get_if<KernelMachine>(&model);
  return machine && !machine->class_names.empty() ? word_labels(machine->class_names) : TargetRule();
}

AnswerFile answer_about(const NewData& data) {
  const bool says_who = !data.ids.words.empty() || !data.label_words.words.empty();
  return {.ids = data.ids, .labels = data.label_words, .with_header = data.is_table || says_who};
}

NewData read_by_recipe(const Recipe& stored, const std::vector<std::string>& classes,
                       const DataQuestion& question) {
  const Table table = read_table(question.data, {.na = stored.na, .decimal = stored.decimal});
  const Recipe recipe = recipe_for(stored, question, table);
  const TableView view(table, recipe);
  const std::vector<Index> rows = view.usable_rows();
  Followed followed = view.samples(rows);
  NewData data{.samples = std::move(followed.samples), .is_table = true};
  say_what_was_done(followed, recipe, table.rows(), std::ssize(rows), data);
  if (const Column* column = view.id()) {
    data.ids = {.name = column->name.empty() ? "id" : column->name,
                .words = identifiers(table, *column, rows)};
  }
  read_true_labels(view, rows, classes, question, data);
  return data;
}

NewData read_data_for(const ModelFile& file, const Model& model, const DataQuestion& question) {
  return file.recipe ? read_by_recipe(*file.recipe, classes_for(model, *file.recipe), question)
                     : read_numbers(model, question);
}

}  // namespace choir
