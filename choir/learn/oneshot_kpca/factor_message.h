// A party's factor on its way to the centre: one message.
#pragma once

#include "choir/learn/oneshot_kpca/factors.h"
#include "choir/runtime/message.h"

namespace choir::oneshot_kpca {

Message pack(const KernelFactor& factor, Kind kind);
Message pack(const DistanceFactor& factor, Kind kind);

// Throw Error(BadData) naming `from` for what no factor of `samples` samples could be.
KernelFactor unpack_kernel_factor(const Message& message, Index samples, NodeId from);
DistanceFactor unpack_distance_factor(const Message& message, Index samples, NodeId from);

}  // namespace choir::oneshot_kpca
