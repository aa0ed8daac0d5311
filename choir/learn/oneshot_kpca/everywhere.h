// Without a centre: the parties' scatters are merged along a tree or by gossip, and every party forms the
// kernel matrix itself.
#pragma once

#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

namespace choir::oneshot_kpca {

Task<void> fuse_everywhere(Node& node, Options options, NodeResult& result);

}  // namespace choir::oneshot_kpca
