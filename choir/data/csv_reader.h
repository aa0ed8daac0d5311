// Tables of numbers as text: comma, semicolon, tab or blanks between the fields, found by looking.
//
//   Dataset table = decode_csv(text, "iris.csv", {.labels = "species"});
//
// The first row is a header if it has a field that is not a number and its numbers, if any, could be
// column names (distinct whole numbers). A column of keys (options.key) may hold any text; given by its
// number it does not count in that, so name it if the other columns are called 0, 1, .... Fields may be
// quoted ("a ""b"""), lines may end in CRLF, blank lines and lines that start with # are skipped, a UTF-8
// mark at the start is ignored. An empty field and NA are missing values and refused like NaN.
#pragma once

#include <string>
#include <string_view>

#include "choir/data/dataset.h"

namespace choir {

// options.labels that names no column of the table is left to the caller (it may be a file): the result
// then has no labels, nor values. options.key must name a column.
Dataset decode_csv(std::string_view text, const std::string& name, const ReadOptions& options = {});

}  // namespace choir
