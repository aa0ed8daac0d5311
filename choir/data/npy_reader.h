// numpy's files: .npy (one array) and .npz (several, by name).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "choir/data/dataset.h"

namespace choir {

Dataset decode_npy_dataset(std::span<const std::byte> bytes, const std::string& name,
                           const ReadOptions& options = {});

// `key` may be empty if the archive has one array.
Dataset read_npz(const std::filesystem::path& path, const std::string& key, const ReadOptions& options = {});

}  // namespace choir
