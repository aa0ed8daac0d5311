#include "choir/runtime/identity.h"

#include <cstring>

#include "choir/base/error.h"

namespace choir {

bool CheckedBefore::has(const Hash& fingerprint) const {
  const std::lock_guard lock(mutex_);
  return fingerprints_.contains(fingerprint);
}

void CheckedBefore::add(const Hash& fingerprint) {
  const std::lock_guard lock(mutex_);
  fingerprints_.insert(fingerprint);
}

Identities Identities::for_run(const Contract& contract, NodeId first, NodeId last, Index nodes) {
  Identities identities;
  if (!contract.kinds.has(Kind::masked)) return identities;
  identities.first_ = first;
  identities.checked_ = std::make_unique<CheckedBefore>();
  identities.everybody_.resize(static_cast<std::size_t>(nodes));
  for (NodeId node = first; node < last; ++node) {
    identities.own_.push_back(SigningKey::fresh());
    identities.everybody_[static_cast<std::size_t>(node)] = identities.own_.back().public_key();
  }
  return identities;
}

std::vector<std::byte> Identities::published() const {
  std::vector<std::byte> bytes;
  for (const SigningKey& key : own_)
    bytes.insert(bytes.end(), key.public_key().begin(), key.public_key().end());
  return bytes;
}

void Identities::learn(NodeId first, std::span<const std::byte> published) {
  const auto place = static_cast<std::size_t>(first);
  const std::size_t count = published.size() / sizeof(IdentityKey);
  if (published.size() % sizeof(IdentityKey) != 0 || place > everybody_.size() ||
      count > everybody_.size() - place) {
    fail(ErrorCategory::BadData,
         "{} bytes arrived as public keys of nodes from {} on, in a network of {} nodes", published.size(),
         first, everybody_.size());
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(everybody_[place + i].data(), published.data() + i * sizeof(IdentityKey),
                sizeof(IdentityKey));
  }
}

Identity Identities::of(NodeId node) const {
  return {
      .key = own_.at(static_cast<std::size_t>(node - first_)), .everybody = everybody_, .checked = *checked_};
}

}  // namespace choir
