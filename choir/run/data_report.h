// Data files described for people and programs: `choir data info`.
//
//   const DataReport report = report_on_data({"patients.csv"}, "diagnosis");
//   report.text;                          // a line per file, a line per column of a table, rows per class
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace choir {

struct DataReport {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();  // an object per file
  std::string text = {};
};

// `labels`: a column of the files, or a file of labels; empty: none. Throws what reading throws.
DataReport report_on_data(const std::vector<std::string>& files, const std::string& labels);

}  // namespace choir
