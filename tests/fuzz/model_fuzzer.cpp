// Any bytes either are a model that can be used and written again, or are refused as bad data.
//
// An input whose zip container is intact but whose checksums do not fit would never get past them, so
// the input is also read as a list of entries and repacked with fitting checksums: the fuzzer then
// reaches what lies behind.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "choir/base/error.h"
#include "choir/codec/archive.h"
#include "choir/codec/files.h"
#include "choir/crypto/sha256.h"
#include "choir/model/model_file.h"

namespace {

using namespace choir;

void use(const ModelFile& file) {
  for (const auto& [name, model] : file.answers) {
    if (features(model) > 64 || components(model) > 64) continue;
    const Samples samples = Samples::Ones(features(model), 2);
    if (const auto* part = std::get_if<LinearPart>(&model)) {
      if (answer_of(part->contribution(samples)).scores.cols() != components(model)) std::abort();
      continue;
    }
    if (const auto* part = std::get_if<KernelPart>(&model)) {
      const Matrix numbers = part->contribution(samples);
      if (part->has_answer() && part->answer(numbers).scores.cols() != components(model)) std::abort();
      continue;
    }
    if (const auto* machine = std::get_if<KernelMachine>(&model)) {
      if (machine->decide(samples).cols() != machine->outputs() || machine->predict(samples).size() != 2)
        std::abort();
      continue;
    }
    if (const auto* clusters = std::get_if<ClusterModel>(&model)) {
      if (clusters->dimension() > 64 || clusters->stages.size() > 8) continue;
      if (clusters->distances(samples).cols() != clusters->clusters() ||
          clusters->predict(samples).size() != 2)
        std::abort();
      continue;
    }
    const Matrix scores = transform(model, samples);
    if (scores.rows() != 2 || scores.cols() != components(model) || score(model, samples).size() != 2)
      std::abort();
  }
  const std::vector<std::byte> bytes = encode_model(file);
  if (encode_model(decode_model(bytes, "again")) != bytes) std::abort();
}

void try_model(std::span<const std::byte> bytes) {
  try {
    use(decode_model(bytes, "fuzz"));
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::BadData) std::abort();
  }
}

// Writes the true checksum of each entry over the 64 characters that stand where its manifest has one.
void mend_checksums(Archive& archive) {
  const auto found = std::ranges::find(archive, "manifest.json", &ArchiveEntry::name);
  if (found == archive.end()) return;
  std::string manifest(reinterpret_cast<const char*>(found->bytes.data()), found->bytes.size());
  for (const ArchiveEntry& entry : archive) {
    const std::size_t at = manifest.find("\"" + entry.name + "\"");
    const std::size_t key = at == std::string::npos ? at : manifest.find("\"sha256\": \"", at);
    if (key == std::string::npos || manifest.size() - key < 75) continue;
    manifest.replace(key + 11, 64, sha256(entry.bytes));
  }
  const auto bytes = std::as_bytes(std::span(manifest));
  found->bytes.assign(bytes.begin(), bytes.end());
}

// "name length\n" and that many bytes, again and again.
Archive entries_of(std::string_view text) {
  Archive archive;
  while (archive.size() < 20) {
    const std::size_t blank = text.find(' '), end = text.find('\n');
    if (blank == std::string_view::npos || end == std::string_view::npos || blank > end) break;
    const std::string name(text.substr(0, blank));
    std::size_t length = 0;
    for (const char c : text.substr(blank + 1, end - blank - 1))
      length = std::min<std::size_t>(length * 10 + static_cast<std::size_t>(c & 15), 100'000);
    text.remove_prefix(end + 1);
    const auto bytes = std::as_bytes(std::span(text.substr(0, length)));
    archive.push_back({name, {bytes.begin(), bytes.end()}});
    text.remove_prefix(bytes.size());
  }
  return archive;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  if (size > 2 && data[0] == 'P' && data[1] == 'K') {
    try_model(bytes);
    return 0;
  }
  Archive archive = entries_of({reinterpret_cast<const char*>(data), size});
  mend_checksums(archive);
  std::vector<std::byte> packed;
  try {
    packed = encode_archive(archive);
  } catch (const Error&) {
    return 0;  // names that an archive cannot have
  }
  try_model(packed);
  return 0;
}
