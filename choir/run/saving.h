// Where the processes of a run write: one folder that they fill together, or, where they do not share a file
// system, a whole one at every party.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "choir/report/run_folder.h"
#include "choir/runtime/process_group.h"

namespace choir {

class SharedFolder {
 public:
  // Makes the folder that collects the files, before any work. Of the processes that see the same file system
  // the first makes it, the others write into it. All processes call it. Throws what RunFolder::create
  // throws, in all processes.
  static SharedFolder create(const std::string& target, const RunFolderOptions& options,
                             ProcessGroup& processes);

  const std::string& target() const { return target_; }
  std::string name() const { return own_->target().filename().string(); }
  const std::filesystem::path& staging() const { return staging_; }
  // This process writes what exists once in a folder.
  bool is_owner() const { return own_.has_value(); }
  void write(const std::string& name, const std::string& text, Privacy privacy = Privacy::usual) const {
    own_->write(name, text, privacy);
  }
  void commit() { own_->commit(); }
  // At once, for a process that is about to end without destructors.
  void abandon() {
    if (own_) own_->abandon();
  }

 private:
  std::string target_;
  std::filesystem::path staging_;
  std::optional<RunFolder> own_;
};

// What a result needs to save itself where its run took place.
struct SavingPlace {
  std::shared_ptr<Engine> engine;  // outlives the group
  std::shared_ptr<ProcessGroup> processes;
  std::optional<SharedFolder> reserved = {};  // for the folder that the job named
};

}  // namespace choir
