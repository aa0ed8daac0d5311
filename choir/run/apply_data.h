// New samples for a saved model.
//
//   const NewData data = read_data_for(file, model, {.model = "model-0.npz", .data = "new.csv"});
//   data.samples;                            // by the model's recipe, if it has one
//   data.ids.words;                          // who the rows are, if a column says so
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/data/answer_file.h"
#include "choir/data/dataset.h"
#include "choir/data/target_rule.h"
#include "choir/model/model_file.h"

namespace choir {

// Throws Error(InvalidArgument) if data called `data` have not the model's features; `path` is where the
// model was.
void require_features(const Model& model, const std::string& path, const std::string& data, Index found);

// What true labels beside new samples may be: words if the model's classes are.
TargetRule label_rule_of(const Model& model);

struct DataQuestion {
  std::string model;  // what messages call it
  std::string data;
  std::string labels = {};  // a column, or a file; empty: the recipe's column, if the data have it
  std::string id = {};      // a column; empty: the recipe's, if the data have it
  bool real_labels = false;
  // Labels of arrays are wanted beside the answers, too; those of tables always are.
  bool writes_labels = false;
};

struct NewData {
  Samples samples;                        // M x N
  std::vector<std::int64_t> labels = {};  // N, or none; words have become their places
  std::vector<double> values = {};
  WordColumn ids = {};
  WordColumn label_words = {};          // the labels as the data have them
  std::vector<std::string> notes = {};  // rows that were left out, words that the model does not know
  bool is_table = false;                // made by a recipe
};

// By the model's recipe, if it has one, else as numbers. Throws what reading does, the same refusals, and
// Error(BadData) for tables that the recipe cannot be followed with.
NewData read_data_for(const ModelFile& file, const Model& model, const DataQuestion& question);

// The same for a recipe alone; `classes`: words that labels may be, ascending, or none.
NewData read_by_recipe(const Recipe& recipe, const std::vector<std::string>& classes,
                       const DataQuestion& question);

// With the rows' identifiers and labels, and a header, if the data are a table or have any of these.
AnswerFile answer_about(const NewData& data);

}  // namespace choir
