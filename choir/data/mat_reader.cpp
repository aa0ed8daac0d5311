#include "choir/data/mat_reader.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/codec/files.h"
#include "choir/data/arrays.h"
#include "choir/data/hdf5_reader.h"
#include "choir/data/mat_variables.h"

namespace choir {
namespace {

using Visit = std::function<bool(const MatVariable&)>;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class MatFile {
 public:
  MatFile(const std::filesystem::path& path, std::uint64_t budget)
      : bytes_(read_file(path)), name_(path.string()), budget_(budget) {}

  void visit(const Visit& visitor) const {
    if (as_text(bytes_).starts_with("MATLAB")) return visit_mat5(bytes_, name_, budget_, visitor);
    visit_mat4(bytes_, name_, visitor);
  }

  std::string choose() const {
    std::vector<std::string> all;
    std::vector<std::string> tables;
    visit([&](const MatVariable& variable) {
      all.push_back(variable.name);
      const std::vector<Index>& shape = variable.array.shape;
      if (variable.is_numeric && shape[0] > 1 && shape[1] > 1) tables.push_back(variable.name);
      return true;
    });
    if (all.empty()) fail(ErrorCategory::BadData, "{} holds no variables", name_);
    if (tables.size() == 1) return tables.front();
    if (all.size() == 1) return all.front();
    fail(ErrorCategory::BadData, "{} holds several variables ({}); pick one, as in {}:{}", name_,
         fmt::join(all, ", "), name_, all.front());
  }

  Dataset read(const std::string& key) const {
    const std::string full_name = name_ + ":" + key;
    std::optional<Dataset> dataset;
    visit([&](const MatVariable& variable) {
      if (variable.name != key) return true;
      if (!variable.is_numeric) {
        fail(ErrorCategory::BadData, "{} is not a full array of real numbers; save it with full() or real()",
             full_name);
      }
      dataset.emplace();
      dataset->type = variable.type;
      dataset->samples = to_samples(variable.array, full_name, budget_);
      return false;
    });
    if (!dataset) fail(ErrorCategory::BadData, "{} holds no variable '{}'", name_, key);
    return *std::move(dataset);
  }

 private:
  std::vector<std::byte> bytes_;
  std::string name_;
  std::uint64_t budget_;
};

}  // namespace

Dataset read_mat(const std::filesystem::path& path, const std::string& key, const ReadOptions& options) {
  if (as_text(read_file_head(path, 16)).starts_with("MATLAB 7.3"))
    return read_matlab_hdf5(path, key, options);
  const MatFile file(path, memory_budget(options.max_bytes));
  return file.read(key.empty() ? file.choose() : key);
}

}  // namespace choir
