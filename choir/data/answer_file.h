// What a model answers about a table, as a file: a row per row, with who it is and what its label was, if
// anybody said.
//
//   AnswerFile answer{.names = {"component_1", "component_2"}, .values = scores};            // N x D
//   answer.ids = {.name = "patient", .words = {"P1", "P2"}};
//   write_answer("scores.csv", answer);                   // patient,component_1,component_2
//
// .csv, .tsv and .ndjson have all of it. .npy has the values alone, and .npz has them as "data".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

struct WordColumn {
  std::string name = {};
  std::vector<std::string> words = {};  // N, or none: there is no such column
};

struct AnswerFile {
  WordColumn ids = {};
  WordColumn labels = {};
  std::vector<std::string> names = {};      // of the columns of values
  Matrix values = {};                       // N x D
  WordColumn predicted = {};                // in place of values: classes
  std::vector<std::int64_t> integers = {};  // the same, for arrays; none: they are words
  bool with_header = true;                  // csv and tsv; without it rows are all there is
};

// Throws Error(InvalidArgument) for another extension, for words in an array, and if ids or labels are not
// one per row; Error(Io).
void write_answer(const std::filesystem::path& path, const AnswerFile& answer);

// Throws Error(InvalidArgument) if there is a file already and it is not to be replaced, or if the extension
// is none of the above. Pipes and devices are always written to.
void require_writable(const std::filesystem::path& path, bool replace);

}  // namespace choir
