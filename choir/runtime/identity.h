// Who a node is to the others: a key that signs for it, and everybody's public keys. Comes with the node, as
// its place in the tree does: the launcher of a run makes one key per node and tells all nodes the public
// halves before any program starts.
//
//   const Signature signature = node.identity().key.sign("key of a run", content);
//   if (!node.identity().has_signed(3, "key of a run", content, signature)) ...       // node 3 did not
//
// Only runs whose contract declares masked words have identities.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "choir/base/types.h"
#include "choir/crypto/keyed_hash.h"
#include "choir/crypto/signature.h"
#include "choir/runtime/contract.h"

namespace choir {

// What some node of this process has checked: the others need not check the same bytes again. By fingerprint.
class CheckedBefore {
 public:
  bool has(const Hash& fingerprint) const;
  void add(const Hash& fingerprint);

 private:
  mutable std::mutex mutex_;
  std::set<Hash> fingerprints_;
};

struct Identity {
  const SigningKey& key;
  std::span<const IdentityKey> everybody;  // by node
  CheckedBefore& checked;

  bool has_signed(NodeId node, std::string_view purpose, std::span<const std::byte> content,
                  const Signature& signature) const {
    return is_signed_by(everybody[static_cast<std::size_t>(node)], purpose, content, signature);
  }
};

// Of the nodes that one process runs. For engines.
class Identities {
 public:
  // Fresh keys for the nodes first <= j < last of a network, or none if the contract needs none.
  static Identities for_run(const Contract& contract, NodeId first, NodeId last, Index nodes);

  bool exist() const { return !own_.empty() || !everybody_.empty(); }
  // The own nodes' public keys, ascending, and those of another process that it published so. Throws
  // Error(BadData) for keys that are no keys of nodes from `first` on.
  std::vector<std::byte> published() const;
  void learn(NodeId first, std::span<const std::byte> published);
  Identity of(NodeId node) const;  // an own one

 private:
  NodeId first_ = 0;
  std::vector<SigningKey> own_;
  std::vector<IdentityKey> everybody_;
  std::unique_ptr<CheckedBefore> checked_;
};

}  // namespace choir
