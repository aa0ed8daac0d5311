// The folder a run leaves behind. It appears whole or not at all: files are collected in a hidden folder
// beside it, which commit() renames.
//
//   RunFolder run = RunFolder::create("runs/digits", {.force = false});
//   run.write("result.json", text);
//   save_model(run.file("model-0.npz"), model);
//   run.commit();                                  // without it, nothing stays
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "choir/codec/files.h"

namespace choir {

struct RunFolderOptions {
  bool force = false;       // replace an earlier run; never a folder that is something else
  bool replaceable = true;  // whether the user could have said --force
};

class RunFolder {
 public:
  // Throws Error(InvalidArgument) if the folder exists, is not empty and force is off, if it is not a run of
  // choir, or if another process is writing it; Error(Io) if it cannot be made.
  static RunFolder create(const std::filesystem::path& target, const RunFolderOptions& options);

  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;
  ~RunFolder();

  // Where a file of this name is to be written until commit().
  std::filesystem::path file(std::string_view name) const { return staging_ / name; }
  // The folder that collects them; other processes may write into it, too.
  const std::filesystem::path& staging() const { return staging_; }
  void write(std::string_view name, std::string_view text, Privacy privacy = Privacy::usual) const;
  void commit();
  // Removes what was collected at once, for a process that is about to end without destructors.
  void abandon();
  const std::filesystem::path& target() const { return target_; }

 private:
  struct Lock;
  RunFolder(std::filesystem::path target, std::filesystem::path staging, std::unique_ptr<Lock> lock);
  std::filesystem::path target_;
  std::filesystem::path staging_;  // empty once committed or moved from
  std::unique_ptr<Lock> lock_;     // nobody else writes into the same target
};

}  // namespace choir
