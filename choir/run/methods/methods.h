// One description per method; method.cpp lists them.
#pragma once

#include "choir/run/method.h"

namespace choir::central_kpca {
const MethodInfo& method_info();
}
namespace choir::local_kpca {
const MethodInfo& method_info();
}
namespace choir::consensus_kpca {
const MethodInfo& method_info();
}
namespace choir::gossip_pca {
const MethodInfo& method_info();
}
namespace choir::federated_kmeans {
const MethodInfo& method_info();
}
namespace choir::oneshot_kpca {
const MethodInfo& method_info();
}
namespace choir::online_kernel {
const MethodInfo& method_info();
}
