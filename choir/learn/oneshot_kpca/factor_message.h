// A party's factor on its way to the centre: one message.
#pragma once

#include "choir/learn/oneshot_kpca/factors.h"
#include "choir/runtime/message.h"

namespace choir::oneshot_kpca {

Message pack(const KernelFactor& factor, Kind kind);
Message pack(const DistanceFactor& factor, Kind kind);

// Throw Error(PeerLost) naming `from` for what no factor of `samples` samples could be, for a kernel with
// these largest values (plausibility.h).
KernelFactor unpack_kernel_factor(const Message& message, Index samples, double largest_square, NodeId from);
DistanceFactor unpack_distance_factor(const Message& message, Index samples, NodeId from);

}  // namespace choir::oneshot_kpca
