#include "choir/run/live_model.h"

#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {

// The stamp is taken first: a file that is replaced in between is loaded once more.
LiveModel::LiveModel(std::string path, std::string use)
    : path_(std::move(path)), use_(std::move(use)), stamp_(stamp_of(path_)), file_(load()) {}

ModelFile LiveModel::load() const {
  ModelFile file = load_model(path_);
  file.answer(use_);
  return file;
}

bool LiveModel::look(const std::function<void(const std::string& sentence)>& complain) {
  const std::optional<FileStamp> now = stamp_of(path_);
  if (!now || now == stamp_) return false;
  stamp_ = now;
  try {
    ModelFile file = load();
    if (features(file.answer(use_)) != features(model())) {
      fail(ErrorCategory::BadData, "{} has {} features now, and had {}", path_, features(file.answer(use_)),
           features(model()));
    }
    file_ = std::move(file);
    return true;
  } catch (const Error& reason) {
    complain(fmt::format("the earlier model stays in use: {}", reason.what()));
    return false;
  }
}

}  // namespace choir
