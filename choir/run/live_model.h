// A model that somebody else may replace while it is used: a fit that still learns writes a new one now and
// then.
//
//   LiveModel live("states/model-0.npz", "");
//   if (live.look()) ...                                     // it is another one now
//   transform(live.model(), samples);
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "choir/codec/files.h"
#include "choir/model/model_file.h"

namespace choir {

class LiveModel {
 public:
  // `use`: which of its answers, as for ModelFile::answer(). Throws what load_model throws.
  LiveModel(std::string path, std::string use);

  const Model& model() const { return file_.answer(use_); }
  const std::optional<Recipe>& recipe() const { return file_.recipe; }
  const std::string& path() const { return path_; }

  // Loads the file again if it has changed; true: the model is another one now. One that cannot be loaded, or
  // has other features or no such answer, changes nothing; `complain` is told why.
  bool look(const std::function<void(const std::string& sentence)>& complain);

 private:
  ModelFile load() const;

  std::string path_;
  std::string use_;
  std::optional<FileStamp> stamp_;
  ModelFile file_;
};

}  // namespace choir
